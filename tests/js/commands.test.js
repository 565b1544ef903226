// Each command by name, and the board's response.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { COMMANDS } from "../../static/js/commands.js";
import { send, sure } from "../../static/js/help.js";
import { selection } from "../../static/js/state.js";
import { left, returned, slept } from "../../static/js/updates.js";
import { boardOf, chosen, settings } from "./board.js";

const ONE = `1${".".repeat(80)}`;

test("every key of the table names a command", () => {
  const table = JSON.parse(readFileSync(new URL("../data/keys.json", import.meta.url)));
  for (const { command } of table) if (command) assert.ok(Object.hasOwn(COMMANDS, command[0]), command[0]);
});

test("the cursor moves, jumps and extends", () => {
  const state = chosen(boardOf(`.111${".".repeat(77)}`), 0);
  COMMANDS.move(state, "down");
  assert.deepEqual(selection(state), [9]);
  COMMANDS.move(state, "first");
  COMMANDS.jump(state, "right");
  assert.deepEqual(selection(state), [4], "over the filled cells");
  COMMANDS.extend(state, "right");
  assert.deepEqual([selection(state), state.cursor], [[4, 5], 5]);
  COMMANDS["extend-jump"](state, "down");
  assert.deepEqual([selection(state), state.cursor], [[4, 5, 14], 14]);
});

test("the mode's key and the keypad write as the mode says", () => {
  const state = chosen(boardOf(ONE), 40);
  COMMANDS.notes(state);
  assert.equal(state.mode, "corner");
  COMMANDS.press(state, 5);
  COMMANDS.mode(state, "next");
  COMMANDS.key(state, 6);
  COMMANDS.notes(state);
  COMMANDS.key(state, 7);
  assert.deepEqual(state.record.moves.map(([, kind, , digit]) => [kind, digit]), [["corner", 5], ["centre", 6], ["digit", 7]]);
});

test("with the digit first, or while one is locked, a key of the keypad locks", () => {
  const state = chosen(boardOf(ONE), 40);
  settings("first-digit");
  COMMANDS.key(state, 6);
  settings();
  COMMANDS.key(state, 7);
  assert.deepEqual([state.locked.digit, state.record.moves], [7, []]);
});

test("the lock key takes the digit under the cursor", () => {
  const state = chosen(boardOf(ONE), 0);
  COMMANDS.lock(state);
  assert.equal(state.locked.digit, 1);
  chosen(state, 5);
  COMMANDS.lock(state);
  assert.equal(state.locked.digit, 0, "over an empty cell it takes the lock off");
});

test("undo and redo say whether there was anything", () => {
  const state = chosen(boardOf(ONE), 40);
  COMMANDS.undo(state);
  COMMANDS.digit(state, 5);
  COMMANDS.undo(state);
  COMMANDS.redo(state);
  assert.deepEqual(state.record.said, ["nothing", "5", "undone", "redone"]);
});

test("a pause needs a clock that may stop; it is taken back by the same key", () => {
  const ranked = boardOf(ONE, { flags: ["ranked"] });
  COMMANDS.pause(ranked);
  assert.deepEqual([ranked.record.said, ranked.record.moves], [["unpausable"], []]);
  const state = boardOf(ONE);
  let focused = 0;
  state.root.querySelector = () => ({ focus: () => focused++ });
  COMMANDS.pause(state);
  assert.deepEqual([state.link.game.paused, focused], [true, 1]);
  COMMANDS.pause(state);
  assert.deepEqual([state.link.game.paused, state.record.flushes, state.record.said], [false, 1, ["paused", "resumed"]]);
});

test("help in a ranked solve is given when asked for twice, and ends the ranking", () => {
  const state = boardOf(ONE, { flags: ["ranked"] });
  COMMANDS.fill(state);
  assert.deepEqual([state.record.moves, state.record.beside], [[], ["unranks"]]);
  assert.equal(sure(state, "hint"), false, "another kind of help is asked about anew");
  assert.equal(sure(state, "hint"), true);
  assert.ok(!("ranked" in state.root.dataset));
  COMMANDS.fill(state);
  assert.deepEqual(state.record.moves, [[1, "fill", "", ""]]);
  COMMANDS.fill(state);
  assert.deepEqual(state.record.said, ["filled", "unfilled"]);
});

test("help without a connection is refused in words", () => {
  const asked = [];
  const reached = [];
  const state = boardOf(ONE);
  state.help.ask = (...form) => asked.push(form);
  state.link.reach = (...how) => reached.push(how);
  const form = { dataset: { command: "hint" } };
  send(state, form, "button");
  state.link.cut = true;
  send(state, form, "button");
  assert.deepEqual([asked, reached, state.record.said], [[[form, "button"]], [[false, "helpless"]], ["helpless"]]);
});

test("the board answers for a house, a cell, the time and a digit", () => {
  const state = chosen(boardOf(`12345678.${".".repeat(72)}`), 8);
  for (const what of ["row", "column", "cell", "time"]) COMMANDS.say(state, what);
  COMMANDS.where(state, 3);
  assert.deepEqual(state.record.said, [
    "lacks row 1 9", "lacks column 9 1 2 3 4 5 6 7 8 9", "place 1 9 3, empty", "time 0:42", "where 3 1 8 at 1 3",
  ]);
  COMMANDS.digit(state, 9);
  COMMANDS.say(state, "row");
  assert.equal(state.record.said.at(-1), "complete row 1");
});

test("a hidden clock is not read out, unless the solve is ranked", () => {
  for (const [flags, said] of [[[], "untimed"], [["ranked"], "time 0:42"]]) {
    const state = boardOf(ONE, { flags });
    settings("timer-off");
    COMMANDS.say(state, "time");
    assert.deepEqual(state.record.said, [said]);
  }
});

test("leaving stops a clock that may stop, unless it is set to run on; coming back starts it", () => {
  const state = boardOf(ONE);
  assert.equal(left(state), true);
  assert.equal(left(state), false, "it stands already");
  returned(state);
  assert.deepEqual([state.link.game.paused, state.record.flushes], [false, 1]);
  settings("away-on");
  assert.equal(left(state), false);
  for (const parts of [{ flags: ["ranked"] }, { solved: true }]) assert.equal(left(boardOf(ONE, parts)), false);
});

test("restart empties the board by moves that undo takes back", () => {
  const state = boardOf(ONE);
  for (const [cell, kind, digit] of [[1, "digit", 2], [2, "corner", 3], [0, "colour", 1], [3, "press", 4]]) {
    chosen(state, cell);
    COMMANDS[kind](state, digit);
  }
  COMMANDS.fill(state);
  state.record.moves.length = 0;
  const asked = [];
  state.root.querySelector = () => ({ showModal: () => asked.push("shown"), close: () => asked.push("closed") });
  COMMANDS.restart(state);
  assert.deepEqual([state.record.moves, asked], [[], ["shown"]]);
  COMMANDS.anew(state);
  assert.deepEqual(asked, ["shown", "closed"]);
  assert.deepEqual(state.record.moves.map(([, kind, cells]) => [kind, cells]), [["erase", "1,3"], ["erase", "2"], ["colour", "0"], ["fill", ""]]);
  assert.equal(state.record.said.at(-1), "restarted");
  for (let step = 0; step < 4; step++) COMMANDS.undo(state);
  assert.equal(state.link.game.board.digits[1], 2);
});

test("clear marks takes all marks in one move and leaves the digits", () => {
  const state = boardOf(ONE);
  chosen(state, 1);
  COMMANDS.digit(state, 2);
  chosen(state, 2, 5);
  COMMANDS.corner(state, 3);
  COMMANDS["clear-marks"](state);
  assert.deepEqual(state.record.moves.at(-1).slice(1, 3), ["erase", "2,5"]);
  assert.equal(state.link.game.board.digits[1], 2);
  const { length } = state.record.moves;
  COMMANDS["clear-marks"](state);
  assert.equal(state.record.moves.length, length, "there is nothing left to clear");
});

test("with marks left alone, the log says so before the first digit", () => {
  const state = boardOf(ONE);
  settings("marks-keep");
  chosen(state, 2);
  COMMANDS.corner(state, 3);
  chosen(state, 3);
  COMMANDS.digit(state, 3);
  assert.deepEqual(state.record.moves.map(([, kind]) => kind), ["corner", "keep", "digit"]);
  assert.notEqual(state.link.game.board.corner[2], 0);
});

test("after a sleep the pause is known to have begun with it before it is sent", () => {
  const state = boardOf(ONE);
  const sent = [];
  const { add } = state.link;
  state.link.add = function adding(move) {
    sent.push([move[1], this.outbox.slept]);
    add.call(this, move);
  };
  const since = Date.now() - 18_000;
  slept(state, since);
  assert.deepEqual(sent, [["pause", { seq: 1, since }], ["resume", { seq: 1, since }]]);
});
