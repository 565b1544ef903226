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

test("moves of other players that the server has are forgotten; one's own stay, and so do moves that nobody else has", () => {
  const kept = storage({
    "ninefold:own": { player: "ada", ...whole }, "ninefold:unsent": { player: "bob", ...unsent }, other: whole,
    "ninefold:sent": { player: "bob", ...whole }, "ninefold:unnamed": whole,
  });
  keepLogs(kept, "ada");
  assert.deepEqual(Object.keys(kept).sort(), ["ninefold:own", "ninefold:unsent", "other"]);
  keepLogs(kept, ""); // signed out
  assert.deepEqual(Object.keys(kept).sort(), ["ninefold:unsent", "other"]);
});
