// A request ends with its response, at its timeout, or when the page is restored.
import assert from "node:assert/strict";
import test from "node:test";

import { giveUp, request } from "../../static/js/request.js";

/** Stand in for the network while `act` runs; answer: (signal) -> promise. */
async function over(answer, act) {
  const real = globalThis.fetch;
  globalThis.fetch = (_url, { signal }) => answer(signal);
  try {
    await act();
  } finally {
    globalThis.fetch = real;
  }
}

const never = () => new Promise(() => {});

test("an answer comes whole", () => over(async () => new Response("body", { status: 201 }), async () => {
  const { ok, status, text } = await request("/");
  assert.deepEqual([ok, status, text], [true, 201, "body"]);
}));

test("a request without an answer ends when its time is over", () => over(never, async () => {
  await assert.rejects(request("/", { patience: 5 }), { name: "TimeoutError" });
}));

test("an answer whose body never ends does too", () => over(async () => new Response(new ReadableStream()), async () => {
  await assert.rejects(request("/", { patience: 5 }), { name: "TimeoutError" });
}));

test("what is under way when the page comes back is given up, and its connection closed", async () => {
  let signal;
  await over((given) => never((signal = given)), async () => {
    const asked = request("/");
    giveUp();
    await assert.rejects(asked, { name: "AbortError" });
    assert.equal(signal.aborted, true);
  });
});
