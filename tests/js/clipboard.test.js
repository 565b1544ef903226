// The copy of a board, and texts that count as a puzzle.
import assert from "node:assert/strict";
import test from "node:test";

import { copies, likely } from "../../static/js/clipboard.js";
import { boardOf } from "./board.js";

test("a copy holds the 81 digits, unless a text is selected or a field has the focus", () => {
  const state = boardOf(`1${".".repeat(80)}`);
  const copied = [];
  let copy;
  Object.assign(globalThis.document, {
    addEventListener: (_event, listener) => (copy = listener),
    getSelection: () => ({ isCollapsed: true }),
  });
  copies(state);
  const event = (inField) => ({
    target: { closest: () => inField }, preventDefault() {}, clipboardData: { setData: (_type, text) => copied.push(text) },
  });
  copy(event(null));
  copy(event({}));
  globalThis.document.getSelection = () => ({ isCollapsed: false });
  copy(event(null));
  assert.deepEqual([copied, state.record.said], [[`1${".".repeat(80)}`], ["copied"]]);
});

test("only a text with 81 characters and 17 digits is taken for a puzzle", () => {
  assert.ok(likely(`${"1".repeat(17)}${".".repeat(64)}`));
  assert.ok(!likely(`${"1".repeat(16)}${".".repeat(65)}`));
  assert.ok(!likely("1".repeat(80)));
});
