// Reports of the connection (sync.js) to the board: responses of the server, moves of another device, and the page
// being left and resumed.

import { buzz } from "./awake.js";
import { after, conflicts, Refused } from "./fold.js";
import { perform } from "./moves.js";
import { looks, thumb } from "./paint.js";
import { extend } from "./selection.js";
import { setting } from "./settings.js";
import { cellName } from "./speech.js";
import { reportMistake, learn, redraw } from "./state.js";
import { AWAY } from "./time.js";

const HELD = 2000; // ms from a full board to its response before the player is notified

/** Redraw after the game or the server's partials around the board have changed. */
export function changed(state) {
  const { phrase, root, say, tick } = state;
  const was = state.solved;
  state.solved = root.querySelector("#status").dataset.state === "solved";
  const learned = learn(state, root.querySelector("#wrong").dataset.pairs);
  reportMistake(state);
  redraw(state);
  const cells = learned.map((pair) => parseInt(pair, 10));
  if (cells.length) say(cells.map((cell) => cellName(cell, state.seen[cell], phrase)).join(". "));
  tick();
  if (state.solved && !was) finish(state);
}

/** The board was solved in view. */
function finish({ link, phrase, root, say, tick }) {
  const board = root.querySelector("#board");
  const late = link.fullSince ? Date.now() - link.fullSince : 0;
  if (late > HELD && !("pausable" in root.dataset)) link.tell(phrase("held", { seconds: Math.round(late / 1000) }), "held");
  buzz([20, 60, 30]);
  root.dataset.fresh = ""; // styled only when the solve happens in view
  say(`${phrase("solved")}, ${tick()}`);
  const heading = root.querySelector("#finish-title");
  if (!board.contains(document.activeElement)) return heading.focus(); // its key has disappeared
  // A player who continues to move on the board keeps the focus there.
  const later = setTimeout(() => heading.focus(), 600);
  board.addEventListener("keydown", () => clearTimeout(later), { once: true });
}

/**
 * Moves of this device were overtaken by another's. If these changed other cells (apart) and no digits conflict, ours
 * are added; else the player sees the board without them and with them, and chooses.
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

/** Return the overtaken moves to add: the clock continues as it is. */
const added = (moves) => moves.filter(([, kind]) => kind !== "pause" && kind !== "resume");

/** Return the game after a move, or unchanged if the move doesn't fit. */
function fitting(game, move) {
  try {
    return after(game, move);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return game;
  }
}

/** Play the overtaken moves again after those of the other device, which has often paused when it was left. */
function add(state) {
  const moves = added(state.link.outbox.release());
  if (moves.length && state.link.game.paused) perform(state, "resume");
  for (const [, kind, cell, digit] of moves) perform(state, kind, cell === "" ? [] : String(cell).split(","), digit);
  if (document.hidden) left(state); // the page is hidden
}

function settle(state, choice) {
  if (!choice) return; // postponed by Escape: the moves stay here and are offered again at the next visit
  if (choice === "ours") add(state);
  else state.link.outbox.release();
  extend(state, [], state.cursor);
}

/** Leaving the page stops the clock; returns whether it did. */
export function left(state) {
  const { game } = state.link;
  const stops = "pausable" in state.root.dataset && setting("away") !== "on";
  return stops && !state.solved && !game.paused && !game.solved && perform(state, "pause");
}

/** The computer slept: the clock stopped then, and continues if the player is soon back. */
export function slept(state, since) {
  const { outbox } = state.link;
  outbox.slept = { seq: outbox.next, since }; // before the pause, which is sent at once
  if (!left(state)) return;
  if (Date.now() - since < AWAY) perform(state, "resume");
  outbox.flush();
}

/** The player returned soon after leaving the page. */
export function returned(state) {
  const covered = document.activeElement?.id === "resume";
  if (perform(state, "resume")) state.link.outbox.flush();
  if (covered) extend(state, [], state.cursor);
}
