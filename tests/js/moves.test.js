// The meaning of an entry or an erasure for the selected cells, and its effect.
import assert from "node:assert/strict";
import test from "node:test";

import { enter, erase, erasure, meaning, perform } from "../../static/js/moves.js";
import { boardOf, chosen, settings } from "./board.js";

const ONE = `1${".".repeat(80)}`; // a given 1 in the first cell
const ROW = `.23456789${".".repeat(72)}`; // the first row lacks its 1

test("a digit goes into every selected cell that is not given", () => {
  const state = chosen(boardOf(ONE), 0, 40, 41);
  enter(state, "digit", 5);
  assert.deepEqual(state.record.moves, [[1, "digit", "40,41", 5]]);
  assert.deepEqual([0, 40, 41].map((cell) => state.link.game.board.digits[cell]), [1, 5, 5]);
  assert.equal(state.seen[40].digit, 5, "it is drawn before it is sent");
  assert.deepEqual(state.record.said, ["cells 5, conflict 2"]);
});

test("an entry needs a cell that takes it", () => {
  const state = boardOf(ONE);
  enter(state, "digit", 5);
  enter(chosen(state, 0), "digit", 5);
  enter(chosen(state, 0), "corner", 5);
  assert.deepEqual(state.record.said, ["choose", "unmovable", "unmovable"]);
  enter(chosen(state, 0), "colour", 5);
  assert.deepEqual(state.record.moves, [[1, "colour", "0", 5]], "a given can be colored");
});

test("a color goes to the locked digit's candidates where they are marked", () => {
  const state = boardOf(ONE);
  enter(chosen(state, 40), "corner", 7);
  state.locked.digit = 7;
  assert.deepEqual(meaning(state, "colour", [40, 41], 3), ["colour", ["40:7"], 3]);
  assert.deepEqual(meaning(state, "colour", [41], 3), ["colour", [41], 3]);
  state.locked.digit = 0;
  assert.deepEqual(meaning(state, "colour", [40], 3), ["colour", [40], 3]);
});

test("a corner mark strikes a computed candidate, and restores it", () => {
  const state = boardOf(ONE);
  perform(state, "fill", [], 7);
  assert.deepEqual(meaning(state, "corner", [40], 7), ["strike", [40], 7]);
  assert.deepEqual(meaning(state, "corner", [40], 8), ["corner", [40], 8], "8 has no computed candidates");
  enter(chosen(state, 40), "corner", 7);
  assert.deepEqual([state.seen[40].open, state.seen[40].struck], [0, 1 << 7]);
  assert.deepEqual(meaning(state, "corner", [40], 7), ["strike", [40], 7]);
  perform(state, "fill", [], 1);
  assert.deepEqual(meaning(state, "corner", [1], 1), ["corner", [1], 1], "1 is not open beside the given 1");
});

test("values are erased first, then the marks of the mode, then all marks", () => {
  const state = boardOf(ONE);
  enter(chosen(state, 40), "corner", 7);
  enter(chosen(state, 41), "digit", 2);
  state.mode = "corner";
  assert.deepEqual(erasure(chosen(state, 0, 40)), ["corner", [40]]);
  assert.deepEqual(erasure(chosen(state, 40, 41)), ["erase", [40, 41]]);
  state.mode = "centre";
  assert.deepEqual(erasure(chosen(state, 40)), ["erase", [40]]);
  state.mode = "colour";
  assert.deepEqual(erasure(chosen(state, 0, 40)), ["colour", [0, 40]], "colors go from given cells too");
});

test("erasing says what came of it", () => {
  const state = boardOf(ONE);
  erase(state);
  erase(chosen(state, 0));
  erase(chosen(state, 40));
  assert.deepEqual(state.record.said, ["choose", "unmovable"], "an empty cell has nothing to erase");
  enter(chosen(state, 40), "digit", 2);
  erase(state);
  assert.equal(state.record.said.at(-1), "erased");
  assert.deepEqual(state.record.moves, [[1, "digit", "40", 2], [2, "erase", "40", ""]]);
});

test("a refused move is not sent and its reason is said", () => {
  const state = chosen(boardOf(ONE), 40);
  perform(state, "pause");
  enter(state, "digit", 2);
  assert.deepEqual(state.record.said, ["paused"]);
  assert.equal(state.record.moves.length, 1);
});

test("a move that changes nothing is not sent", () => {
  const state = chosen(boardOf(ONE), 40);
  assert.equal(perform(state, "undo"), false);
  enter(state, "digit", 2);
  enter(state, "digit", 2);
  assert.equal(state.record.moves.length, 1);
});

test("a change of the board is told to the note and takes back the doubt about help", () => {
  const state = chosen(boardOf(ONE, { doubted: "hint" }), 40);
  enter(state, "digit", 2);
  assert.deepEqual([state.record.followed, state.doubted, state.record.beside], [1, "", [""]]);
  perform(state, "pause");
  assert.equal(state.record.followed, 1, "a pause leaves the board as it is");
});

test("a completed house is said and highlighted, unless this is switched off", () => {
  for (const [words, said, flashed] of [[[], "1. complete row 1", 1], [["done-off"], "1", 0], [["feedback-never"], "1", 0]]) {
    const state = chosen(boardOf(ROW), 0);
    settings(...words);
    enter(state, "digit", 1);
    assert.deepEqual(state.record.said, [said]);
    assert.equal(state.record.flashed.length, flashed);
  }
});

test("feedback by the solution is logged as help once and asks the server at once, but not in a ranked solve", () => {
  const state = chosen(boardOf(ONE), 40);
  settings("feedback-solution");
  enter(state, "digit", 2);
  enter(state, "digit", 3);
  assert.deepEqual(state.record.moves.map(([, kind]) => kind), ["check", "digit", "digit"]);
  assert.equal(state.record.flushes, 2);
  const ranked = chosen(boardOf(ONE, { flags: ["ranked"] }), 40);
  settings("feedback-solution");
  enter(ranked, "digit", 2);
  assert.deepEqual(ranked.record.moves.map(([, kind]) => kind), ["digit"]);
  assert.equal(ranked.record.flushes, 0);
});

test("a full board that is wrong says so, and takes it back with a digit", () => {
  const solution = "123456789456789123789123456214365897365897214897214365531642978642978531978531642";
  const state = boardOf(`${".".repeat(80)}2`);
  const write = (cell, digit) => enter(chosen(state, cell), "digit", digit);
  for (let cell = 0; cell < 79; cell++) write(cell, Number(solution[cell]));
  assert.deepEqual(new Set(state.record.full), new Set([""]));
  write(79, 5);
  assert.equal(state.record.full.at(-1), "amiss");
  erase(state);
  assert.equal(state.record.full.at(-1), "");
  write(79, 4);
  assert.ok(state.link.game.solved);
  assert.equal(state.record.full.at(-1), "");
});
