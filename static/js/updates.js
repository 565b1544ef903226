// What the connection (sync.js) reports to the board: answers of the server, moves of another device, and the page being
// left and resumed.

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

/** Show both boards where another device's moves have overtaken ours, and let the player choose. */
export function offered(state, ours) {
  const sheet = state.root.querySelector("#clash");
  const [one, two] = [looks(state.link.game), looks(ours)];
  for (const [name, seen, other] of [["theirs", one, two], ["ours", two, one]]) {
    sheet.querySelector(`[data-board=${name}]`).replaceChildren(thumb(sheet.querySelector("template"), seen, other));
  }
  sheet.addEventListener("close", () => settle(state, sheet.returnValue), { once: true });
  sheet.returnValue = "";
  if (!sheet.open) sheet.showModal();
}

function settle(state, choice) {
  if (!choice) return; // put off by Escape: the moves stay here and are offered again at the next visit
  const moves = state.link.outbox.release();
  if (choice === "ours") for (const [, kind, cell, digit] of moves) perform(state, kind, cell ? cell.split(",") : [], digit);
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
