// Choosing cells and locking a digit.
import assert from "node:assert/strict";
import test from "node:test";

import { choose, extend, select, toggleLock, touch, twice } from "../../static/js/selection.js";
import { selection } from "../../static/js/state.js";
import { boardOf, chosen, settings } from "./board.js";

const ONE = `1${".".repeat(80)}`;

test("choosing selects these cells alone, the cursor and the focus on the last", () => {
  const state = chosen(boardOf(), 80);
  choose(state, [3, 4]);
  assert.deepEqual([selection(state), state.cursor, state.record.focused], [[3, 4], 4, [4]]);
  assert.deepEqual(state.record.said, ["chosen 2"]);
  choose(state, [], 7);
  assert.deepEqual([selection(state), state.cursor], [[], 7]);
});

test("extending keeps what is selected", () => {
  const state = chosen(boardOf(), 3);
  extend(state, [4, 5]);
  assert.deepEqual([selection(state), state.cursor], [[3, 4, 5], 5]);
});

test("all, inverted, and none one step at a time", () => {
  const state = chosen(boardOf(), 3);
  select(state, "invert");
  assert.equal(state.chosen.size, 80);
  assert.ok(!state.chosen.has(3));
  select(state, "all");
  assert.deepEqual([state.chosen.size, state.cursor], [81, 3]);
  toggleLock(state, 5);
  select(state, "none");
  assert.deepEqual([state.locked.digit, state.chosen.size], [0, 81], "the lock goes first");
  select(state, "none");
  assert.deepEqual(selection(state), [3], "then all but the cursor's cell");
  select(state, "none");
  assert.deepEqual([selection(state), state.cursor], [[], 3]);
});

test("a touch selects one cell, with a modifier or multi-select one more or one less", () => {
  const state = boardOf();
  touch(state, 3, { add: false });
  touch(state, 4, { add: false });
  assert.deepEqual(selection(state), [4]);
  touch(state, 5, { add: true });
  assert.deepEqual(selection(state), [4, 5]);
  state.several = true;
  touch(state, 5, { add: false });
  assert.deepEqual([selection(state), state.cursor], [[4], 4]);
  touch(state, 4, { add: false });
  assert.deepEqual(selection(state), [4], "the last cell stays");
});

test("with a lock, a touch writes; on a filled cell it locks that digit instead", () => {
  const state = boardOf(ONE);
  toggleLock(state, 5);
  touch(state, 41, { add: false, drag: true });
  assert.deepEqual(state.record.moves, [], "a drag only selects");
  touch(state, 40, { add: false });
  assert.deepEqual(state.record.moves, [[1, "digit", "40", 5]]);
  touch(state, 0, { add: false });
  assert.equal(state.locked.digit, 1);
  assert.equal(state.record.moves.length, 1);
});

test("a locked color colors filled cells too, and a paused board takes no touch", () => {
  const state = boardOf(ONE, { mode: "colour" });
  toggleLock(state, 2);
  assert.deepEqual(state.locked, { digit: 0, colour: 2 });
  touch(state, 0, { add: false });
  assert.deepEqual(state.record.moves, [[1, "colour", "0", 2]]);
  state.link.game = { ...state.link.game, paused: true };
  touch(state, 1, { add: false });
  assert.equal(state.record.moves.length, 1);
});

test("a lock set twice is taken off", () => {
  const state = boardOf();
  toggleLock(state, 5);
  toggleLock(state, 6);
  assert.equal(state.locked.digit, 6);
  toggleLock(state, 6);
  assert.equal(state.locked.digit, 0);
  assert.deepEqual(state.record.said, ["locked 5", "locked 6", "unlocked"]);
});

test("a double click places the only candidate, else selects the cells that look alike", () => {
  const state = boardOf(`12345678.${".".repeat(72)}`);
  settings();
  state.link.game = { ...state.link.game, board: { ...state.link.game.board, fill: 0b1111111110 } };
  choose(state, [8]);
  twice(state, 8);
  assert.deepEqual(state.record.moves, [[1, "digit", "8", 9]]);
  for (const [layer, moves] of [["centre", 1], ["corner", 0]]) {
    const marked = boardOf();
    marked.link.game = { ...marked.link.game, board: { ...marked.link.game.board, [layer]: new Uint16Array(81).fill(32, 8, 9) } };
    choose(marked, [8]);
    twice(marked, 8);
    assert.equal(marked.record.moves.length, moves, `a lone ${layer} mark`);
  }
  const other = boardOf(`1........${".".repeat(18)}1${".".repeat(53)}`);
  twice(other, 0);
  assert.deepEqual([selection(other), other.cursor], [[0, 27], 0]);
});
