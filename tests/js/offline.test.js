import assert from "node:assert/strict";
import { test } from "node:test";

class Storage {
  getItem(key) {
    return this[key] ?? null;
  }
  removeItem(key) {
    delete this[key];
  }
}

Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
const { keepLogs } = await import("../../static/js/offline.js");

const storage = (logs) => Object.assign(new Storage(), Object.fromEntries(Object.entries(logs).map(([key, log]) => [key, JSON.stringify(log)])));
const whole = { acked: 1, moves: [[1, "undo", "", ""]] };
const unsent = { acked: 0, moves: whole.moves };

test("after a sign-out the moves of the player are forgotten", () => {
  const kept = storage({ "ninefold:a": { player: "ada", ...whole } });
  keepLogs(kept, "");
  assert.deepEqual(Object.keys(kept), []);
});

test("one's own moves stay, and so do moves that nobody else has", () => {
  const kept = storage({ "ninefold:a": { player: "ada", ...whole }, "ninefold:b": { player: "bob", ...unsent }, other: whole });
  keepLogs(kept, "ada");
  assert.deepEqual(Object.keys(kept).sort(), ["ninefold:a", "ninefold:b", "other"]);
});

test("moves of before players were noted are another's", () => {
  const kept = storage({ "ninefold:a": whole });
  keepLogs(kept, "ada");
  assert.deepEqual(Object.keys(kept), []);
});
