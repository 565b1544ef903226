// A newcomer's first board on the home page: a cell is selected here, and its digit is sent, which starts the game.

import { boxOf, columnOf, rowOf } from "./fold.js";
import { WAYS, target } from "./grid.js";

export function first(root) {
  const form = root.querySelector("form");
  const cells = [...root.querySelectorAll(".cell")];
  let chosen = Math.max(0, cells.findIndex((cell) => "selected" in cell.dataset));

  const near = (cell) => [rowOf, columnOf, boxOf].some((of) => of(cell) === of(chosen));

  function mark() {
    for (const [number, { dataset }] of cells.entries()) {
      for (const name of ["selected", "cursor", "peer"]) delete dataset[name];
      if (number === chosen) dataset.selected = dataset.cursor = "";
      else if (near(number)) dataset.peer = "";
    }
    form.elements.cell.value = chosen;
  }

  function choose(number) {
    cells[chosen].tabIndex = -1;
    chosen = number;
    cells[chosen].tabIndex = 0;
    cells[chosen].focus();
    mark();
  }

  function write(digit) {
    if ("given" in cells[chosen].dataset) return;
    const ink = Object.assign(document.createElement("span"), { className: "cell__digit", textContent: digit });
    cells[chosen].querySelector(".cell__ink").replaceChildren(ink);
    form.requestSubmit(form.querySelector(`[value="${digit}"].first__key`));
  }

  for (const [number, cell] of cells.entries()) {
    cell.querySelector(".cell__link").removeAttribute("href"); // without an address it is neither a link nor a tab stop
    cell.tabIndex = number === chosen ? 0 : -1;
    cell.addEventListener("click", () => choose(number));
    cell.addEventListener("focus", mark);
  }
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in WAYS && event.target.closest(".cell")) {
      event.preventDefault();
      choose(target(chosen, WAYS[event.key]));
    } else if (/^[1-9]$/.test(event.key)) write(event.key);
  });
  form.addEventListener("submit", (event) => {
    if ("given" in cells[chosen].dataset) event.preventDefault();
  });
}
