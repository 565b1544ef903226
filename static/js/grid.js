// The geometry of the grid: cursor movement, and which cells belong together. No DOM.

import { CELLS, DIGITS, boxOf, columnOf, rowOf } from "./fold.js";

const STEPS = { left: -1, right: 1, up: -9, down: 9 };

/** Return the next cell in a direction; the grid doesn't wrap. */
export function target(cell, where) {
  const row = rowOf(cell);
  const edge = { first: 0, last: 80, "row-start": 9 * row, "row-end": 9 * row + 8 }[where];
  const next = edge ?? cell + STEPS[where];
  const wraps = (where === "left" || where === "right") && rowOf(next) !== row;
  return next < 0 || next > 80 || wraps ? cell : next;
}

/** Return the next empty cell in a direction, or the last cell that way if none is empty. */
export function jump(cell, where, digits) {
  const next = target(cell, where);
  return next === cell || !digits[next] ? next : jump(next, where, digits);
}

/** Return the cells that look like `cell`: the same digit, else the same marks, else the same colors. */
export function similar(cell, { digits, corner, centre, colours }) {
  if (digits[cell]) return CELLS.filter((other) => digits[other] === digits[cell]);
  const empty = CELLS.filter((other) => !digits[other]);
  if (corner[cell] || centre[cell]) {
    return empty.filter((other) => corner[other] === corner[cell] && centre[other] === centre[cell]);
  }
  if (colours[cell]) return CELLS.filter((other) => colours[other] === colours[cell]);
  return [cell];
}

const HOUSES = { row: rowOf, column: columnOf, box: boxOf };

/** Return what is complete without conflicts: [["row", 3, its cells], ..., ["digit", 7, its cells]]. */
export function complete(digits) {
  const nine = (cells, of) => new Set(cells.map(of)).size === 9;
  const houses = Object.entries(HOUSES).flatMap(([house, of]) =>
    DIGITS.map((number) => [house, number, CELLS.filter((cell) => digits[cell] && of(cell) === number - 1)]));
  const own = DIGITS.map((digit) => ["digit", digit, CELLS.filter((cell) => digits[cell] === digit)]);
  return [
    ...houses.filter(([, , cells]) => nine(cells, (cell) => digits[cell])),
    ...own.filter(([, , cells]) => cells.length === 9 && Object.values(HOUSES).every((of) => nine(cells, of))),
  ];
}

/** Return the number, from 1, of a cell's row, column or box, and its missing digits. */
export function missing(house, cell, digits) {
  const of = HOUSES[house];
  const there = new Set(CELLS.filter((other) => of(other) === of(cell)).map((other) => digits[other]));
  return { number: of(cell) + 1, digits: DIGITS.filter((digit) => !there.has(digit)) };
}

/** Return the cells on a straight line from one cell to another. */
export function between(from, to) {
  const [rows, columns] = [rowOf(to) - rowOf(from), columnOf(to) - columnOf(from)];
  const steps = Math.max(Math.abs(rows), Math.abs(columns));
  return Array.from({ length: steps }, (_, step) => {
    const part = (step + 1) / steps;
    return 9 * Math.round(rowOf(from) + rows * part) + Math.round(columnOf(from) + columns * part);
  });
}
