// The state of a board in play: one object that every function of the board takes as its first argument, as in
// chessground. Independent of the page.

import { looks } from "./paint.js";
import { setting } from "./settings.js";

const MODES = ["digit", "corner", "centre", "colour"];

/** Return a state without selection. parts: {root, phrase, say, view} and the values that differ from the defaults. */
export const initial = (parts) => ({
  link: null, // the connection, from sync.js; link.game is the game as played on this device
  help: null, // the notes beside the board, from notes.js
  tick: null, // updates the clock and returns its text
  chosen: new Set(), // the selected cells
  cursor: 0,
  mode: "digit",
  several: false, // a tap adds to the selected cells
  locked: { digit: 0, colour: 0 }, // what every touched cell gets, until unlocked
  doubted: "", // the help that was requested once in a ranked solve
  wrong: new Set(), // "cell:digit" pairs that are wrong by the server's check
  solved: false, // according to the server
  seen: null, // the look of each cell at the last drawing
  ...parts,
});

/** Draw the state after a change. */
export function redraw(state) {
  const feedback = setting("feedback");
  state.seen = looks(state.link.game, { feedback: feedback !== "never", wrong: feedback === "solution" ? state.wrong : undefined });
  state.view.draw(state);
}

/** Announce that a full board has a mistake, but not where; remove the message once a cell is empty again. */
export function reportMistake({ link, phrase }) {
  const { board, solved } = link.game;
  link.tell(board.digits.every(Boolean) && !solved ? phrase("amiss") : "", "full");
}

/** Return the selected cells in reading order. */
export const selection = ({ chosen }) => [...chosen].sort((a, b) => a - b);

/** Return the selected cells that aren't givens, in reading order. */
export const editable = (state) => selection(state).filter((cell) => !state.seen[cell].given);

/** Return which lock applies in a mode: that of colors or that of digits. */
export const lockOf = (mode) => (mode === "colour" ? "colour" : "digit");

/** Return the locked digit or color of the current mode, else 0. */
export const held = ({ locked, mode }) => locked[lockOf(mode)];

/** Return the mode that `which` selects: "next", "previous" or a mode by name. */
export function modeAfter(mode, which) {
  const step = { next: 1, previous: 3 }[which];
  return step ? MODES[(MODES.indexOf(mode) + step) % 4] : which;
}

/** Store the digits that are wrong by the server's check, "cell:digit,..."; returns the new pairs. */
export function learn({ wrong }, pairs) {
  const fresh = pairs.split(",").filter((pair) => pair && !wrong.has(pair));
  for (const pair of fresh) wrong.add(pair);
  return fresh;
}
