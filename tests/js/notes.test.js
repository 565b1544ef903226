// When the board shows what a hint or a check asks for.
import assert from "node:assert/strict";
import test from "node:test";

import { begin } from "../../static/js/fold.js";
import { done } from "../../static/js/notes.js";

const EMPTY = ".".repeat(81);
const look = (parts) => ({ digit: 0, corner: 0, centre: 0, open: 0, struck: 0, ...parts });
const seen = (cell, parts) => Array.from({ length: 81 }, (_, at) => look(at === cell ? parts : {}));

test("a placement is done once its digit stands there", () => {
  const { board } = begin(EMPTY);
  for (const [digit, is] of [[0, false], [4, false], [5, true]]) {
    assert.equal(done({ places: "3:5" }, board, seen(3, { digit }), board), is);
  }
});

test("an elimination is done once the cell's marks leave it out, or the cell is filled", () => {
  const { board } = begin(EMPTY);
  const five = 1 << 5;
  for (const [parts, is] of [
    [{}, false], [{ centre: five }, false], [{ open: five | 4 }, false], [{ open: 4 }, true],
    [{ corner: five, struck: five }, false], [{ corner: five | 4, struck: five }, true], [{ digit: 7 }, true],
  ]) assert.equal(done({ removes: "3:5" }, board, seen(3, parts), board), is, JSON.stringify(parts));
});

test("a mistake is mended once its cell has changed", () => {
  const before = begin(EMPTY).board;
  before.digits[3] = 5;
  const after = { ...before, digits: before.digits.slice() };
  assert.equal(done({ mends: "3" }, after, seen(3, {}), before), false);
  after.digits[3] = 0;
  assert.equal(done({ mends: "3" }, after, seen(3, {}), before), true);
});
