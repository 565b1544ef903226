// The key table: the command of each key press, on several layouts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { commandOf } from "../../static/js/keys.js";

const table = JSON.parse(readFileSync(new URL("../data/keys.json", import.meta.url)));

for (const { keys, event, options, command } of table) {
  test(`${keys}: ${command ? command.filter(Boolean).join(" ") : "nothing"}`, () => {
    const { numLock = false, ...rest } = event;
    const press = { ...rest, getModifierState: (name) => name === "NumLock" && numLock };
    assert.deepEqual(commandOf(press, options), command);
  });
}
