// Moves: what the player enters into the selected cells. The order of a move is: play, paint, store, send. The log's
// rules are in fold.js, the sending in sync.js.

import { buzz } from "./awake.js";
import { CELLS, Refused, after, digitsIn, has } from "./fold.js";
import { complete } from "./grid.js";
import { setting } from "./settings.js";
import { content } from "./speech.js";
import { editable, reportMistake, redraw, selection } from "./state.js";

/** Play a move; false if the board rejects it or it changes nothing. */
export function perform(state, kind, cells = [], digit = "") {
  const { link, phrase, say } = state;
  const { game, outbox } = link;
  const move = [outbox.next, kind, cells.join(","), digit];
  let next;
  try {
    next = after(game, move);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(phrase(game.solved ? "solved" : game.paused ? "paused" : "unmovable"));
    return false;
  }
  const said = ["board", "paused", "assisted", "keeps"];
  if (said.every((part) => next[part] === game[part])) return false;
  link.game = next;
  if (state.doubted) link.tell((state.doubted = ""));
  reportMistake(state);
  redraw(state);
  if (next.board !== game.board) state.help.follow(next.board, state.seen);
  link.add(move, next);
  return true;
}

/** Enter a digit, a mark or a color into the selected cells. */
export function enter(state, kind, digit) {
  const { chosen, link, phrase, say } = state;
  if (!chosen.size) return say(phrase("choose"));
  const cells = kind === "colour" ? selection(state) : editable(state);
  if (!cells.length) return say(phrase("unmovable"));
  const before = complete(link.game.board.digits).join("|");
  const checked = kind === "digit" && setting("feedback") === "solution" && !("ranked" in state.root.dataset);
  if (kind === "digit" && (setting("marks") === "keep") !== link.game.keeps) perform(state, "keep"); // as in the log
  if (checked && !link.game.assisted) perform(state, "check"); // records in the log that there was help
  if (!perform(state, ...meaning(state, kind, cells, digit))) return;
  if (checked) link.outbox.flush();
  announce(state, cells, kind === "digit" ? complete(link.game.board.digits).filter((part) => !before.includes(part)) : []);
}

/**
 * Return the move [kind, cells, digit] of an ambiguous mark: a color goes to the locked digit's candidate, and a corner
 * mark of an auto candidate strikes it.
 */
export function meaning({ link, locked, seen }, kind, cells, digit) {
  const marked = (of, marks) => cells.filter((cell) => marks.some((mark) => has(seen[cell][mark], of)));
  if (kind === "colour" && locked.digit) {
    const candidates = marked(locked.digit, ["corner", "open"]).map((cell) => `${cell}:${locked.digit}`);
    if (candidates.length) return [kind, candidates, digit];
  }
  if (kind === "corner" && has(link.game.board.fill, digit)) {
    const computed = marked(digit, ["open", "struck"]);
    if (computed.length) return ["strike", computed, digit];
  }
  return [kind, cells, digit];
}

/**
 * Return the move [kind, cells] that empties the selected cells: the digits first, then the mode's marks, then all
 * marks.
 */
export function erasure(state) {
  if (state.mode === "colour") return ["colour", selection(state)];
  const cells = editable(state);
  const filled = cells.some((cell) => state.seen[cell].digit);
  const marked = !filled && cells.some((cell) => state.link.game.board[state.mode]?.[cell]);
  return [marked ? state.mode : "erase", cells];
}

export function erase(state) {
  const { chosen, phrase, say } = state;
  if (!chosen.size) return say(phrase("choose"));
  const [kind, cells] = erasure(state);
  if (!cells.length) say(phrase("unmovable"));
  else if (perform(state, kind, cells)) say(phrase("erased"));
}

/** Remove all corner and center marks and strikes; false if there are none. */
export function clearMarks(state) {
  const { board, given } = state.link.game;
  const marked = (cell) => board.corner[cell] || board.centre[cell] || board.struck[cell];
  const cells = CELLS.filter((cell) => !given[cell] && !board.digits[cell] && marked(cell));
  return cells.length > 0 && perform(state, "erase", cells);
}

/** Empty the board: digits, marks, colors and auto candidates. Each is an event of its own that can be undone. */
export function restart(state) {
  const { board, given } = state.link.game;
  const filled = CELLS.filter((cell) => !given[cell] && board.digits[cell]);
  const coloured = CELLS.filter((cell) => board.colours[cell] || board.tints.slice(10 * cell, 10 * cell + 10).some(Boolean));
  const layers = digitsIn(board.fill);
  let done = filled.length > 0 && perform(state, "erase", filled);
  done = clearMarks(state) || done;
  if (coloured.length) done = perform(state, "colour", coloured) || done;
  for (const digit of layers.length === 9 ? [""] : layers) done = perform(state, "fill", [], digit) || done;
  return done;
}

/** Announce the cells' content and the houses and digits that the entry completed; done: items of `complete`. */
function announce({ phrase, say, seen, view }, cells, done) {
  const words = [content(seen[cells[0]], phrase)];
  if (cells.length > 1) words[0] = phrase("cells", { content: words[0], count: cells.length });
  if (setting("done") !== "off" && setting("feedback") !== "never") {
    if (done.length) buzz(10);
    for (const [what, number, all] of done) {
      words.push(phrase("complete", { house: phrase(what, { number }) }));
      view.flash(all);
    }
  }
  say(words.join(". "));
}
