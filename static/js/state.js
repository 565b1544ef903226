// The state of a board in play: one object that every function of the board takes as its first argument, as in
// chessground. Nothing here needs a page.

import { looks } from "./paint.js";
import { setting } from "./settings.js";

const MODES = ["digit", "corner", "centre", "colour"];

/** A state with nothing selected. parts: {root, phrase, say, view} and the values that differ from the defaults. */
export const initial = (parts) => ({
  link: null, // the connection, from sync.js; link.game is the game as played on this device
  help: null, // the notes beside the board, from notes.js
  tick: null, // updates the clock and returns its text
  chosen: new Set(), // the selected cells
  cursor: 0,
  mode: "digit",
  several: false, // a tap adds to the selected cells
  locked: { digit: 0, colour: 0 }, // what every touched cell is given, until unlocked
  doubted: "", // the help that was asked for once in a ranked solve
  wrong: new Set(), // "cell:digit" pairs that the server has called wrong
  solved: false, // as the server says
  seen: null, // the look of each cell at the last drawing
  ...parts,
});

/** Draw the state after a change. */
export function redraw(state) {
  const feedback = setting("feedback");
  state.seen = looks(state.link.game, { feedback: feedback !== "never", wrong: feedback === "solution" ? state.wrong : undefined });
  state.view.draw(state);
}

/** Say of a full board that something is wrong, but not where; take it back once a cell is empty again. */
export function judge({ link, phrase }) {
  const { board, solved } = link.game;
  link.tell(board.digits.every(Boolean) && !solved ? phrase("amiss") : "", "full");
}

/** The selected cells in reading order. */
export const selection = ({ chosen }) => [...chosen].sort((a, b) => a - b);

/** The selected cells that are not given, in reading order. */
export const editable = (state) => selection(state).filter((cell) => !state.seen[cell].given);

/** Which lock holds in a mode: that of colors or that of digits. */
export const lockOf = (mode) => (mode === "colour" ? "colour" : "digit");

/** The locked digit or color of the current mode, else 0. */
export const held = ({ locked, mode }) => locked[lockOf(mode)];

/** The mode that `which` selects: "next", "previous" or a mode by name. */
export function modeAfter(mode, which) {
  const step = { next: 1, previous: 3 }[which];
  return step ? MODES[(MODES.indexOf(mode) + step) % 4] : which;
}

/** Remember the digits that the server calls wrong, "cell:digit,..."; returns the pairs that are new. */
export function learn({ wrong }, pairs) {
  const fresh = pairs.split(",").filter((pair) => pair && !wrong.has(pair));
  for (const pair of fresh) wrong.add(pair);
  return fresh;
}
