// The guide of a newcomer's board: the next step shows as soon as a digit stands, whatever the server is doing.

const PRESSES = ["keydown", "pointerdown"];

export function guide(root) {
  const steps = [...root.querySelectorAll(".tour__one")];
  const cellOf = (number) => root.querySelector(`#c${number}`);
  const written = ({ dataset }) => cellOf(dataset.cell).querySelector(".cell__digit")?.textContent ?? "";
  let shown = null;

  function show() {
    const step = steps.find((each) => !each.dataset.cell || written(each) !== each.dataset.digit);
    const { cell, house } = step.dataset;
    if (cell) {
      const wrong = written(step) !== "";
      step.querySelector(".tour__wrong").hidden = !wrong;
      step.querySelector(".tour__ask").hidden = wrong;
    }
    if (step === shown) return;
    const lit = house?.split(" ") ?? [];
    for (const each of steps) each.hidden = each !== step;
    for (let number = 0; number < 81; number++) cellOf(number).toggleAttribute("data-guide", lit.includes(String(number)));
    root.toggleAttribute("data-guided", cell !== undefined);
    if (shown && cell) select(cellOf(cell));
    if (shown) root.dataset.pausable = ""; // before the first digit there is nothing to pause
    shown = step;
  }

  /** Select a cell; somebody who presses the keys by keyboard stays on them. */
  function select(cell) {
    const key = document.activeElement;
    cell.focus({ preventScroll: true });
    if (key?.matches(".key:focus-visible")) key.focus();
  }

  // Only replies to what a visitor does need htmx, so it waits for the first press.
  function loadHtmx() {
    for (const press of PRESSES) removeEventListener(press, loadHtmx);
    const script = document.createElement("script");
    script.src = new URL("../htmx.js", import.meta.url);
    document.head.append(script);
  }

  for (const press of PRESSES) addEventListener(press, loadHtmx);
  show();
  new MutationObserver(show).observe(root.querySelector("#board"), { childList: true, subtree: true });
}
