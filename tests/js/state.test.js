// The state of a board in play.
import assert from "node:assert/strict";
import test from "node:test";

import { editable, held, initial, learn, lockOf, modeAfter, redraw, selection } from "../../static/js/state.js";
import { boardOf, chosen, settings } from "./board.js";

test("the selection reads like the board, in whatever order its cells were chosen", () => {
  const state = chosen(boardOf(`1${".".repeat(80)}`), 40, 0, 7);
  assert.deepEqual(selection(state), [0, 7, 40]);
  assert.deepEqual(editable(state), [7, 40], "a given cell cannot be edited");
});

test("modes follow one another in a ring, or are named", () => {
  const modes = ["digit", "corner", "centre", "colour"];
  assert.deepEqual(modes.map((mode) => modeAfter(mode, "next")), ["corner", "centre", "colour", "digit"]);
  assert.deepEqual(modes.map((mode) => modeAfter(mode, "previous")), ["colour", "digit", "corner", "centre"]);
  assert.equal(modeAfter("corner", "colour"), "colour");
});

test("colors have a lock of their own; digits and both kinds of marks share one", () => {
  assert.deepEqual(["digit", "corner", "centre", "colour"].map(lockOf), ["digit", "digit", "digit", "colour"]);
  const state = { locked: { digit: 4, colour: 2 }, mode: "corner" };
  assert.equal(held(state), 4);
  assert.equal(held({ ...state, mode: "colour" }), 2);
});

test("a digit is learned to be wrong once", () => {
  const state = initial({});
  assert.deepEqual(learn(state, ""), []);
  assert.deepEqual(learn(state, "3:4,80:9"), ["3:4", "80:9"]);
  assert.deepEqual(learn(state, "3:4,3:5"), ["3:5"]);
  assert.deepEqual([...state.wrong], ["3:4", "80:9", "3:5"]);
});

test("a wrong digit looks wrong only with feedback by the solution", () => {
  const state = boardOf(`1${".".repeat(80)}`, { wrong: new Set(["0:1"]) });
  assert.equal(state.seen[0].wrong, false);
  settings("feedback-solution");
  redraw(state);
  assert.equal(state.seen[0].wrong, true);
});
