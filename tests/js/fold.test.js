// The browser's fold passes the test cases of the server's fold, and a few properties of its own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { CELLS, Refused, after, begin, candidates, conflicts, digitsIn, fold } from "../../static/js/fold.js";

const { givens, cases } = JSON.parse(readFileSync(new URL("../data/moves.json", import.meta.url)));

const numbered = (moves) => moves.map((move, index) => [index + 1, ...move]);
const text = (mask) => digitsIn(mask).join("");
const layer = (marks) => Object.fromEntries(CELLS.filter((cell) => marks[cell]).map((cell) => [cell, text(marks[cell])]));

/** The game in the terms of moves.json. */
function seen(game, cells) {
  const { board } = game;
  const open = candidates(game);
  const clashes = conflicts(board.digits);
  return {
    digits: Object.fromEntries(CELLS.filter((c) => board.digits[c] && !game.given[c]).map((c) => [c, board.digits[c]])),
    corner: layer(board.corner), centre: layer(board.centre), colours: layer(board.colours), struck: layer(board.struck),
    tints: Object.fromEntries([...board.tints.entries()].filter(([, mask]) => mask)
      .map(([place, mask]) => [`${Math.floor(place / 10)}:${place % 10}`, text(mask)])),
    fill: text(board.fill),
    conflicts: CELLS.filter((cell) => clashes[cell]),
    candidates: Object.fromEntries(cells.map((cell) => [cell, text(open[cell].open)])),
    can_undo: game.past !== null, can_redo: game.future !== null,
    paused: game.paused, assisted: game.assisted, solved: game.solved,
  };
}

const NOTHING = {
  digits: {}, corner: {}, centre: {}, colours: {}, struck: {}, tints: {}, fill: "", conflicts: [], candidates: {},
  can_undo: false, can_redo: false, paused: false, assisted: false, solved: false,
};

for (const { name, moves, refused, expect } of cases) {
  test(name, () => {
    const log = numbered(moves);
    const taken = refused ? log.slice(0, -1) : log;
    const game = fold(givens, taken);
    if (refused) assert.throws(() => after(game, log.at(-1)), Refused);
    assert.equal(game.seq, taken.length);
    assert.deepEqual(seen(game, Object.keys(expect.candidates ?? {})), { ...NOTHING, ...expect });
  });
}

/** A seeded sequence of moves, legal and not. */
function* randomMoves(seed, count) {
  let state = seed;
  const below = (limit) => (state = (state * 1103515245 + 12345) % 2147483648) % limit;
  const kinds = ["digit", "corner", "centre", "colour", "strike", "fill", "erase", "undo", "redo", "pause", "resume", "check"];
  for (let seq = 1; seq <= count; seq++) {
    const kind = kinds[below(kinds.length)];
    const bare = ["fill", "undo", "redo", "pause", "resume", "check"].includes(kind);
    const cells = bare ? "" : [...new Set([below(81), below(81)])].join(",");
    yield [seq, kind, cells, ["erase", "undo", "redo", "pause", "resume", "check"].includes(kind) ? "" : 1 + below(9)];
  }
}

test("a game is never changed by the moves played on it", () => {
  let game = begin(givens);
  for (const move of randomMoves(7, 400)) {
    const before = structuredClone(game);
    try {
      const next = after(game, move);
      assert.deepEqual(game, before);
      game = next;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
});

test("undoing everything leads back to the givens, and redoing everything back again", () => {
  let game = begin(givens);
  for (const move of randomMoves(11, 300)) {
    try {
      game = after(game, move);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  if (game.paused) game = after(game, [game.seq + 1, "resume", "", ""]);
  const played = game.board;
  while (game.past) game = after(game, [game.seq + 1, "undo", "", ""]);
  assert.deepEqual(game.board, begin(givens).board);
  while (game.future) game = after(game, [game.seq + 1, "redo", "", ""]);
  assert.deepEqual(game.board, played);
});
