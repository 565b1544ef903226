// The notes beside the board: a hint or a check that was asked of the server, and the cells it speaks of.

import { pager } from "./pager.js";
import { remembered } from "./session.js";

const cellsOf = (spot) => spot.dataset.cells.split(",").map(Number);

function highlight(cells) {
  for (const lit of document.querySelectorAll("[data-lit]")) delete lit.dataset.lit;
  for (const cell of cells) document.getElementById(`c${cell}`).dataset.lit = "";
}

/** The cells that a sentence below `root` names light up on the board while it is pointed at or has the focus. */
export function spots(root) {
  for (const [event, lit] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
    root.addEventListener(event, ({ target }) => {
      const spot = target.closest("[data-cells]");
      if (spot) highlight(lit ? cellsOf(spot) : []);
    });
  }
}

/**
 * Returns {ask(form, button), close(), open()}. link: the connection; on: {asked(cells) when a note's cells are to be
 * chosen, closed() when the focus should return to the board}.
 */
export function notes(root, { link, phrase, say, on }) {
  const panels = () => [...root.querySelectorAll("#hint-panel, #check-result")];
  const open = () => panels().find((panel) => !panel.hidden);
  const closedKey = `${link.outbox.key}:closed`;
  const latest = () => String(link.outbox.moves.findLast(([, kind]) => kind === "hint" || kind === "check")?.[0]);

  async function ask(form, button) {
    const text = await link.ask(form.action, new FormData(form, button));
    if (!text) return text ?? say(phrase("helpless"));
    page();
    if (open() && "applied" in open().dataset) return applied(open());
    const heading = open()?.querySelector("h2");
    heading?.focus();
    if (heading) say("");
  }

  /** An applied hint is seen on the board, so its note is only spoken. */
  function applied(panel) {
    const { moves } = link.outbox;
    const made = moves.slice(moves.findLastIndex(([, kind]) => kind === "hint") + 1);
    const filled = made.filter(([, kind]) => kind === "digit").map(([, , cell]) => Number(cell));
    close();
    if (link.game.solved) return; // the finish has the focus
    if (filled.length) on.asked(filled);
    else on.closed();
    say([...panel.querySelectorAll("p")].map((line) => line.textContent.trim()).join(" "));
  }

  function close() {
    const panel = open();
    if (!panel) return; // with every move
    const focused = panel.contains(document.activeElement);
    for (const each of panels()) each.hidden = true;
    remembered(closedKey, latest()); // the server shows it again with the page
    document.getElementById("overlay")?.replaceChildren();
    highlight([]);
    if (focused) on.closed();
  }

  const page = pager(root, say);
  page();
  spots(root);
  root.addEventListener("click", ({ target }) => {
    const spot = target.closest("[data-cells]");
    if (spot) on.asked(cellsOf(spot));
    else if (target.closest("[data-close]")) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open() || document.querySelector("dialog[open]")) return;
    event.stopPropagation();
    close();
  }, { capture: true });

  if (remembered(closedKey) === latest()) close();
  return { ask, close, open };
}
