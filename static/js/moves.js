// Moves: what the player writes into the selected cells. The order of a move is: play, paint, store, send. The log's
// rules are in fold.js, the sending in sync.js.

import { Refused, after, has } from "./fold.js";
import { complete } from "./grid.js";
import { setting } from "./settings.js";
import { content } from "./speech.js";
import { editable, judge, redraw, selection } from "./state.js";

/** Play a move; false where the board refuses it or it changes nothing. */
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
  if (next.board === game.board && next.paused === game.paused && next.assisted === game.assisted) return false;
  if (next.board !== game.board) state.help.close(); // it spoke of the board as it was
  link.game = next;
  if (state.doubted) link.tell((state.doubted = ""));
  judge(state);
  redraw(state);
  link.add(move, next);
  return true;
}

/** Write a digit, a mark or a color into the selected cells. */
export function enter(state, kind, digit) {
  const { chosen, link, phrase, say } = state;
  if (!chosen.size) return say(phrase("choose"));
  const cells = kind === "colour" ? selection(state) : editable(state);
  if (!cells.length) return say(phrase("unmovable"));
  const before = complete(link.game.board.digits).join("|");
  const checked = kind === "digit" && setting("feedback") === "solution" && !("ranked" in state.root.dataset);
  if (checked && !link.game.assisted) perform(state, "check"); // the log says that there was help
  if (!perform(state, ...meaning(state, kind, cells, digit))) return;
  if (checked) link.outbox.flush();
  announce(state, cells, kind === "digit" ? complete(link.game.board.digits).filter((part) => !before.includes(part)) : []);
}

/**
 * The move [kind, cells, digit] that an entry means where marks can mean two things: a color goes to the locked digit's
 * candidate, and a corner mark of a computed candidate strikes it.
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

/** The move [kind, cells] that empties the selected cells: the values first, then the mode's marks, then all marks. */
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

/** Say what the cells now hold and which houses and digits the entry completed; done: items of `complete`. */
function announce({ phrase, say, seen, view }, cells, done) {
  const words = [content(seen[cells[0]], phrase)];
  if (cells.length > 1) words[0] = phrase("cells", { content: words[0], count: cells.length });
  if (setting("done") !== "off" && setting("feedback") !== "never") {
    for (const [what, number, all] of done) {
      words.push(phrase("complete", { house: phrase(what, { number }) }));
      view.flash(all);
    }
  }
  say(words.join(". "));
}
