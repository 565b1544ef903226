// A board in play without a page: the real state and fold, with a renderer, a voice and a connection that only record.

import { begin } from "../../static/js/fold.js";
import { initial, redraw } from "../../static/js/state.js";

/** Set the player's settings, words such as "first-digit". */
export function settings(...words) {
  globalThis.document = { documentElement: { dataset: { ui: words.join(" ") } } };
}

/** The phrase's key with its values in the given order: "chosen 3". */
export const phrase = (key, values = {}) => [key, ...Object.values(values)].join(" ");

/**
 * A state for 81 `givens`. flags: words of the page's root, such as "ranked" and "pausable". Messages, moves, focus
 * changes and flashes are recorded in state.record.
 */
export function boardOf(givens = ".".repeat(81), { flags = ["pausable"], ...parts } = {}) {
  settings();
  const record = { said: [], beside: [], full: [], moves: [], focused: [], flashed: [], flushes: 0, closed: 0, followed: 0 };
  const state = initial({
    record,
    root: { dataset: Object.fromEntries(flags.map((flag) => [flag, ""])) },
    phrase,
    say: (text) => void record.said.push(text),
    view: {
      draw() {},
      focus: (cell) => void record.focused.push(cell),
      flash: (cells) => void record.flashed.push(cells),
      modeName: () => state.mode,
    },
    help: { close: () => void record.closed++, follow: () => void record.followed++, open: () => undefined },
    tick: () => "0:42",
    link: {
      game: begin(givens),
      cut: false,
      outbox: { next: 1, kept: true, flush: () => void record.flushes++ },
      tell: (text, about = "beside") => void record[about].push(text),
      add(move) {
        record.moves.push(move);
        this.outbox.next++;
      },
    },
    ...parts,
  });
  redraw(state);
  return state;
}

/** Select cells of a state without drawing. */
export function chosen(state, ...cells) {
  state.chosen = new Set(cells);
  state.cursor = cells.at(-1) ?? state.cursor;
  return state;
}
