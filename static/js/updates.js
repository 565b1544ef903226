// What the connection (sync.js) reports to the board: answers of the server, moves of another device, and the page being
// left and resumed.

import { after, conflicts, Refused } from "./fold.js";
import { perform } from "./moves.js";
import { looks, thumb } from "./paint.js";
import { extend } from "./selection.js";
import { setting } from "./settings.js";
import { cellName } from "./speech.js";
import { judge, learn, redraw } from "./state.js";

/** Redraw after the game or the server's partials around the board have changed. */
export function changed(state) {
  const { phrase, root, say, tick } = state;
  const was = state.solved;
  state.solved = root.querySelector("#status").dataset.state === "solved";
  const told = learn(state, root.querySelector("#wrong").dataset.pairs);
  judge(state);
  redraw(state);
  const cells = told.map((pair) => parseInt(pair, 10));
  if (cells.length) say(cells.map((cell) => cellName(cell, state.seen[cell], phrase)).join(". "));
  tick();
  if (state.solved && !was) finish(state);
}

/** The board was solved while its player looked on. */
function finish({ phrase, root, say, tick }) {
  const board = root.querySelector("#board");
  root.dataset.fresh = ""; // styled only when the solve happens in view
  say(`${phrase("solved")}, ${tick()}`);
  const heading = root.querySelector("#finish-title");
  if (!board.contains(document.activeElement)) return heading.focus(); // its key has gone
  // A player who goes on moving on the board keeps the focus there.
  const later = setTimeout(() => heading.focus(), 600);
  board.addEventListener("keydown", () => clearTimeout(later), { once: true });
}

/**
 * Moves of this device were overtaken by another's. Where these changed other cells (apart) and no digits conflict, ours
 * are added; else the player is shown the board without them and with them, and chooses.
 */
export function offered(state, mine, apart) {
  const { game } = state.link;
  const both = added(mine).reduce(fitting, game.paused ? fitting(game, [0, "resume"]) : game);
  if (apart && !conflicts(both.board.digits).some(Boolean)) return add(state);
  const sheet = state.root.querySelector("#clash");
  const [one, two] = [looks(game), looks(both)];
  for (const [name, seen, other] of [["theirs", one, two], ["ours", two, one]]) {
    sheet.querySelector(`[data-board=${name}]`).replaceChildren(thumb(sheet.querySelector("template"), seen, other));
  }
  sheet.addEventListener("close", () => settle(state, sheet.returnValue), { once: true });
  sheet.returnValue = "";
  if (!sheet.open) sheet.showModal();
}

/** What is added of overtaken moves: the clock goes as it goes here and now. */
const added = (moves) => moves.filter(([, kind]) => kind !== "pause" && kind !== "resume");

/** The game after a move, or as it is where that does not fit. */
function fitting(game, move) {
  try {
    return after(game, move);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return game;
  }
}

/** Play the overtaken moves again, behind those of the other device, which has often paused as it was left. */
function add(state) {
  const moves = added(state.link.outbox.release());
  if (moves.length && state.link.game.paused) perform(state, "resume");
  for (const [, kind, cell, digit] of moves) perform(state, kind, cell === "" ? [] : String(cell).split(","), digit);
  if (document.hidden) left(state); // nobody is there to play on
}

function settle(state, choice) {
  if (!choice) return; // put off by Escape: the moves stay here and are offered again at the next visit
  if (choice === "ours") add(state);
  else state.link.outbox.release();
  extend(state, [], state.cursor);
}

/** Leaving the page stops the clock; true when it did. */
export function left(state) {
  const { game } = state.link;
  const stops = "pausable" in state.root.dataset && setting("away") !== "on";
  return stops && !state.solved && !game.paused && !game.solved && perform(state, "pause");
}

/** The player came back soon after leaving the page. */
export function returned(state) {
  const covered = document.activeElement?.id === "resume";
  if (perform(state, "resume")) state.link.outbox.flush();
  if (covered) extend(state, [], state.cursor);
}
