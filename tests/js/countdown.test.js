import assert from "node:assert/strict";
import { test } from "node:test";

const over = { hidden: true };
globalThis.CSS = { supports: () => false }; // so that main.js attaches nothing
globalThis.Element = class {};
globalThis.navigator ??= {}; // Node.js has one since version 21
globalThis.document = { documentElement: { lang: "en" }, getElementById: () => over };
const { countdown } = await import("../../static/js/page.js");

test("the countdown goes on through a sleep that stops the steady clock", (context) => {
  context.mock.timers.enable({ apis: ["Date", "setTimeout"] });
  context.mock.method(performance, "now", () => 0);
  const element = { dataset: { left: "60000", text: "{left}" }, dateTime: 0, isConnected: true };
  countdown(element);
  assert.equal(element.textContent, "1:00");
  context.mock.timers.setTime(20_000);
  context.mock.timers.tick(1);
  assert.equal(element.textContent, "0:40");
  context.mock.timers.setTime(60_000);
  context.mock.timers.tick(1);
  assert.equal(over.hidden, false);
});
