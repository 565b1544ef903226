// Announcements about cells, in any language: phrases with names to fill in.
import assert from "node:assert/strict";
import test from "node:test";

import { cellName, content, phraseBook, speaker } from "../../static/js/speech.js";
import { clockText } from "../../static/js/time.js";

const phrase = phraseBook(new Map(Object.entries({
  place: "Row {row}, column {column}, box {box}", empty: "empty", given: "given", conflict: "in conflict",
  corner: "corner marks {digits}", centre: "center marks {digits}", candidates: "candidates {digits}",
  struck: "crossed out {digits}", colours: "colors {digits}",
})));
const look = (changes) => ({ digit: 0, given: false, conflict: false, corner: 0, centre: 0, open: 0, struck: 0, colours: 0, ...changes });

test("a cell is named by its place and what it holds", () => {
  assert.equal(cellName(28, look({ digit: 7, given: true }), phrase), "Row 4, column 2, box 4, 7, given");
  assert.equal(cellName(28, look({}), phrase), "Row 4, column 2, box 4, empty");
  assert.equal(cellName(80, look({ digit: 1, conflict: true }), phrase), "Row 9, column 9, box 9, 1, in conflict");
});

test("marks are said of empty cells only, colours of all", () => {
  const marks = { corner: 0b110, centre: 0b1000, open: 0b10000, colours: 0b100 };
  assert.equal(content(look(marks), phrase), "empty, corner marks 1 2, center marks 3, candidates 4, colors 2");
  assert.equal(content(look({ ...marks, digit: 5 }), phrase), "5, colors 2");
});

test("strikes are said when asked for", () => {
  const cell = look({ open: 0b10000, struck: 0b100000 });
  assert.equal(content(cell, phrase), "empty, candidates 4");
  assert.equal(content(cell, phrase, { struck: true }), "empty, candidates 4, crossed out 5");
});

test("the same sentence twice is a change, so that it is spoken twice", () => {
  const region = { textContent: "" };
  const say = speaker(region);
  say("Undone");
  const first = region.textContent;
  say("Undone");
  assert.notEqual(region.textContent, first);
  say("Undone");
  assert.equal(region.textContent, first);
});

test("times read like a clock", () => {
  assert.deepEqual([0, 59_999, 60_000, 462_000, 3_600_000, 36_005_000].map(clockText), ["0:00", "0:59", "1:00", "7:42", "1:00:00", "10:00:05"]);
});
