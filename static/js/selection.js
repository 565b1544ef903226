// Selecting cells, and locking a digit or a color that every touched cell then gets.

import { CELLS, digitsIn } from "./fold.js";
import { similar } from "./grid.js";
import { enter } from "./moves.js";
import { held, lockOf, redraw } from "./state.js";

/** Select only `cells`; the cursor goes to `at`. */
export function choose(state, cells, at = cells.at(-1) ?? state.cursor) {
  const { chosen, phrase, say } = state;
  chosen.clear();
  extend(state, cells, at);
  if (chosen.size > 1) say(phrase("chosen", { count: chosen.size }));
}

/** Add `cells` to the selection; the cursor and the focus go to `at`. */
export function extend(state, cells, at = cells.at(-1)) {
  for (const cell of cells) state.chosen.add(cell);
  state.cursor = at;
  redraw(state);
  state.view.focus(at);
}

/**
 * Select "all", "invert" the selection, or for "none" undo one step: the lock, then all but one cell, then that cell.
 */
export function select(state, what) {
  const { chosen, cursor } = state;
  if (what === "all") choose(state, CELLS, cursor);
  else if (what === "invert") choose(state, CELLS.filter((cell) => !chosen.has(cell)), cursor);
  else if (held(state)) lock(state, 0);
  else choose(state, chosen.size > 1 ? [cursor] : [], cursor);
}

/** A tap or click on a cell; add: whether to keep the selection, drag: whether it begins a drag of a finger. */
export function touch(state, cell, { add, drag = false }) {
  const { chosen, link, mode, several } = state;
  const value = held(state);
  if (add || several) {
    if (chosen.has(cell) && chosen.size > 1) {
      chosen.delete(cell);
      extend(state, [], [...chosen].at(-1));
    } else {
      extend(state, [cell]);
    }
  } else {
    choose(state, [cell]);
    if (!value || drag || link.game.paused) return;
    const { digit } = state.seen[cell];
    if (mode !== "colour" && digit) lock(state, digit);
    else enter(state, mode, value);
  }
}

/** A double click on a cell: place its only candidate, else select all cells that look like it. */
export function twice(state, cell) {
  // Corner marks say where a digit can be, not what the cell can be.
  const { digit, centre, open } = state.seen[cell];
  const [only, ...others] = digitsIn(open || centre);
  if (!digit && only && !others.length) enter(state, "digit", only);
  else choose(state, similar(cell, state.link.game.board), cell);
}

/** Lock a digit, or in the color mode a color; 0 unlocks. */
function lock(state, value) {
  const { locked, mode, phrase, say } = state;
  locked[lockOf(mode)] = value;
  redraw(state);
  say(value ? phrase("locked", { digit: value }) : phrase("unlocked"));
}

export function toggleLock(state, value) {
  lock(state, held(state) === value ? 0 : value);
}
