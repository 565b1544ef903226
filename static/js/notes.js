// The notes beside the board: the server's hint or check, and the cells it refers to.

import { has } from "./fold.js";
import { rove } from "./keys.js";
import { pager } from "./pager.js";
import { remembered } from "./session.js";

const cellsOf = (spot) => spot.dataset.cells.split(",").map(Number);

function highlight(cells) {
  for (const lit of document.querySelectorAll("[data-lit]")) delete lit.dataset.lit;
  for (const cell of cells) document.getElementById(`c${cell}`).dataset.lit = "";
}

/** Make the names of cells below `root` one tab stop; arrow keys lead from one to the next. */
function oneStop(root) {
  const all = [...root.querySelectorAll(".spot")];
  rove(all, all.findIndex((each) => each.getClientRects().length));
}

function step(root, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || !event.target.matches(".spot")) return;
  const all = [...root.querySelectorAll(".spot")].filter((each) => each.getClientRects().length);
  const next = all[all.indexOf(event.target) + by] ?? event.target;
  rove(all, all.indexOf(next));
  next.focus();
  event.preventDefault();
  event.stopPropagation(); // or the cursor on the board moves, too
}

/** Light up the cells that a sentence below `root` names while it is hovered or focused. */
export function spots(root) {
  oneStop(root);
  root.addEventListener("keydown", (event) => step(root, event));
  for (const [event, lit] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
    root.addEventListener(event, ({ target }) => {
      const spot = target.closest("[data-cells]");
      if (spot) highlight(lit ? cellsOf(spot) : []);
    });
  }
}

const pairs = (text = "") => text.split(",").filter(Boolean).map((pair) => pair.split(":").map(Number));

/**
 * Whether a board shows what a note asks for. mends: cells that have to change from how they were in `basis`; places,
 * removes: candidates; seen: the looks of the board's cells (paint.js).
 */
export function done({ mends, places, removes }, board, seen, basis) {
  const gone = ([cell, digit]) => {
    const { centre, corner, digit: written, open, struck } = seen[cell];
    const marks = (centre | corner | open) & ~struck;
    return written > 0 || (marks > 0 && !has(marks, digit));
  };
  const changed = ([cell]) => ["digits", "centre", "struck"].some((layer) => board[layer][cell] !== basis[layer][cell]);
  return pairs(mends).every(changed) && pairs(removes).every(gone)
    && pairs(places).every(([cell, digit]) => seen[cell].digit === digit);
}

/**
 * Return {ask(form, button), follow(board, seen), unfold(), close(), open()}. link: the connection; on: {asked(cells) to select a note's cells,
 * closed() to return the focus to the board}.
 */
export function notes(root, { link, phrase, say, on }) {
  const panels = () => [...root.querySelectorAll("#hint-panel, #check-result")];
  const open = () => panels().find((panel) => !panel.hidden);
  const closedKey = `${link.outbox.key}:closed`;
  const latest = () => String(link.outbox.moves.findLast(([, kind]) => kind === "hint" || kind === "check")?.[0]);

  /** Use the hint's words about a cell as its description. */
  function describe() {
    for (const cell of document.querySelectorAll("#board [aria-describedby]")) cell.removeAttribute("aria-describedby");
    for (const told of open()?.querySelectorAll("[data-told]") ?? []) {
      document.getElementById(`c${told.dataset.told}`).setAttribute("aria-describedby", told.id);
    }
  }

  async function ask(form, button) {
    const text = await link.ask(form.action, new FormData(form, button));
    if (!text) return text ?? say(phrase(link.outbox.kept ? "helpless" : "helpless-unkept"));
    begin();
    if (open() && "applied" in open().dataset) return applied(open());
    const heading = open()?.querySelector("h2");
    heading?.focus();
    if (heading) say("");
  }

  /** An applied hint is visible on the board, so its note is only announced. */
  function applied(panel) {
    const { moves } = link.outbox;
    const made = moves.slice(moves.findLastIndex(([, kind]) => kind === "hint") + 1);
    const filled = made.filter(([, kind]) => kind === "digit").map(([, , cell]) => Number(cell));
    close();
    if (link.game.solved) return; // the finish has the focus
    if (filled.length) on.asked(filled);
    else on.closed();
    say([...panel.querySelectorAll(".note__body p")].map((line) => line.textContent.trim()).join(" "));
  }

  /** After a move: close the note if its step is done or a digit that it rests on is gone, else make it small. */
  function follow(board, seen) {
    const panel = open();
    if (!panel) return; // called with every move
    const { dataset } = panel;
    const { mends, places, removes } = dataset;
    const named = Boolean(mends || places || removes);
    const { digits } = basis;
    const other = board.digits.some((digit, cell) => digit !== digits[cell] && (digits[cell] ? !mends : !named));
    if (other || (named && done(dataset, board, seen, basis))) return close();
    dataset.played = ""; // the server's next word may be about another step
    fold(true);
  }

  /** Show only one line of the note, on screens where it would be in the way. */
  function fold(small) {
    const panel = open();
    if (!panel || "folded" in panel.dataset === small) return;
    panel.toggleAttribute("data-folded", small);
    panel.querySelector("[data-fold]")?.setAttribute("aria-expanded", String(!small));
    oneStop(root);
  }

  /** Show the whole note again; false if it is open already. */
  function unfold() {
    const small = open() && "folded" in open().dataset;
    fold(false);
    return Boolean(small);
  }

  /** Take up a note that has just been shown. */
  function begin() {
    basis = link.game.board;
    page();
    oneStop(root);
    describe();
  }

  function close() {
    const panel = open();
    if (!panel) return;
    const focused = panel.contains(document.activeElement);
    for (const each of panels()) each.hidden = true;
    remembered(closedKey, latest()); // or the server would show it again with the page
    document.getElementById("overlay")?.replaceChildren();
    highlight([]);
    describe();
    if (focused) on.closed();
  }

  const page = pager(root, say);
  let basis = null; // the board when the note was shown
  spots(root);
  root.addEventListener("click", ({ target }) => {
    const spot = target.closest("[data-cells]");
    if (spot) on.asked(cellsOf(spot));
    else if (target.closest("[data-close]")) close();
    else if (target.closest("[data-fold]")) fold(!unfold());
    else if (target.closest("#board")) fold(true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open() || document.querySelector("dialog[open]")) return;
    event.stopPropagation();
    close();
  }, { capture: true });

  begin();
  if (remembered(closedKey) === latest()) close();
  fold(true); // a page loaded again brings nothing back over the board
  return { ask, close, follow, open, unfold };
}
