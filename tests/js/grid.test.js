// The cursor's movement, and the cells that belong together.
import assert from "node:assert/strict";
import test from "node:test";

import { CELLS, columnOf, rowOf } from "../../static/js/fold.js";
import { complete, between, jump, missing, similar, target } from "../../static/js/grid.js";

const empty = () => ({ digits: Array(81).fill(0), corner: Array(81).fill(0), centre: Array(81).fill(0), colours: Array(81).fill(0) });

test("arrows move one cell and stop at the edges", () => {
  assert.deepEqual(["left", "right", "up", "down"].map((where) => target(40, where)), [39, 41, 31, 49]);
  assert.deepEqual([target(0, "left"), target(0, "up"), target(8, "right"), target(9, "left"), target(80, "down")], [0, 0, 8, 9, 80]);
});

test("Home and End go to the ends of the row, with Ctrl to the corners", () => {
  assert.deepEqual(["row-start", "row-end", "first", "last"].map((where) => target(40, where)), [36, 44, 0, 80]);
});

test("a jump lands on the next empty cell, or on the edge", () => {
  const digits = Array(81).fill(1);
  digits[44] = 0;
  assert.equal(jump(38, "right", digits), 44);
  assert.equal(jump(38, "left", digits), 36);
  assert.equal(jump(36, "left", digits), 36);
});

test("similar cells hold the same digit", () => {
  const board = empty();
  board.digits[3] = board.digits[40] = 7;
  board.digits[41] = 8;
  assert.deepEqual(similar(3, board), [3, 40]);
});

test("similar empty cells hold the same marks, else the same colours", () => {
  const board = empty();
  board.corner[1] = board.corner[2] = 6;
  board.centre[2] = 8;
  board.corner[9] = 6;
  board.colours[5] = board.colours[50] = 4;
  assert.deepEqual(similar(1, board), [1, 9]);
  assert.deepEqual(similar(5, board), [5, 50]);
  assert.deepEqual(similar(60, board), [60]);
});

test("a quick drag leaves no cell out", () => {
  assert.deepEqual(between(0, 4), [1, 2, 3, 4]);
  assert.deepEqual(between(0, 40), [10, 20, 30, 40]);
  for (const from of CELLS) for (const to of CELLS) if (from !== to) assert.equal(between(from, to).at(-1), to);
});

test("a house lacks the digits that are not in it", () => {
  const digits = Array(81).fill(0);
  [1, 2, 3, 4, 5, 6, 7].forEach((digit, column) => (digits[36 + column] = digit));
  assert.deepEqual(missing("row", 40, digits), { number: 5, digits: [8, 9] });
  assert.deepEqual(missing("column", 40, digits), { number: 5, digits: [1, 2, 3, 4, 6, 7, 8, 9] });
  assert.deepEqual(missing("box", 40, digits), { number: 5, digits: [1, 2, 3, 7, 8, 9] });
});

test("complete: a house with nine digits, and a digit placed nine times without a clash", () => {
  const solved = [...Array(81).keys()].map((cell) => ((3 * (rowOf(cell) % 3) + Math.floor(rowOf(cell) / 3) + columnOf(cell)) % 9) + 1);
  assert.equal(complete(solved).length, 36);
  const open = solved.with(40, 0);
  const names = new Set(complete(open).map(([what, number]) => `${what} ${number}`));
  for (const gone of ["row 5", "column 5", "box 5", `digit ${solved[40]}`]) assert.ok(!names.has(gone), gone);
  assert.equal(names.size, 32);
  assert.equal(complete(solved.with(40, solved[41])).length, 36 - 3 - 2, "its digit is missing, the other one clashes");
});
