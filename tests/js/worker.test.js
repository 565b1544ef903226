// The service worker, in a network that swallows requests or answers them with something else.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

const BOARD = `/attempts/${"a".repeat(22)}`;
const SCRIPT = "/static/main.js";
const handlers = {};
const stored = new Map(); // cache name -> (path -> Response)
const path = (request) => new URL(request.url ?? request, "https://ninefold.test").pathname;
const html = (text) => new Response(text, { headers: { "Content-Type": "text/html" } });
const answers = {
  page: () => html(`<html data-kept-as="ada-en"><script src="${SCRIPT}"></script>`),
  file: () => new Response("play()", { headers: { "Content-Type": "text/javascript" } }),
  bad: () => new Response("<h1>502 Bad Gateway</h1>", { status: 502, headers: { "Content-Type": "text/html" } }),
  hang: () => new Promise(() => {}),
  reset: () => Promise.reject(new TypeError("reset")),
};
let fates = {}; // path -> what becomes of its requests, one after the other; then all is well

Object.assign(globalThis, {
  addEventListener: (name, handler) => (handlers[name] = handler),
  fetch: async (request) => answers[fates[path(request)]?.shift() ?? (path(request) === BOARD ? "page" : "file")](),
  caches: {
    delete: async (name) => stored.delete(name),
    keys: async () => [...stored.keys()],
    match: async (request) => [...stored.values()].map((cache) => cache.get(path(request))).find(Boolean)?.clone(),
    open: async (name) => {
      if (!stored.has(name)) stored.set(name, new Map());
      return { put: async (request, response) => stored.get(name).set(path(request), response) };
    },
  },
});
await import("../../static/sw.js");

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  stored.clear();
  fates = {};
});
afterEach(() => mock.timers.reset());

/** Return the worker's answer to a page: {answer, until: what is kept meanwhile}. */
function get(address, mode) {
  const got = { until: [] };
  handlers.fetch({
    request: { method: "GET", mode, url: `https://ninefold.test${address}` },
    respondWith: (answer) => (got.answer = answer),
    waitUntil: (work) => got.until.push(work),
  });
  return got;
}

async function visit() {
  const { answer, until } = get(BOARD, "navigate");
  const response = await answer;
  await Promise.all(until);
  return response;
}

/** The answer, `seconds` after it was asked for. */
async function answered({ answer }, seconds) {
  for (let second = 0; second < seconds; second++) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    mock.timers.tick(1000);
  }
  const nothing = new Promise((resolve) => setImmediate(() => resolve("nothing yet")));
  return Promise.race([answer.catch((error) => error.message), nothing]);
}

for (const [address, mode] of [[BOARD, "navigate"], [SCRIPT, "no-cors"]]) {
  test(`${mode}: what a connection swallows is asked for over another after 5 seconds`, async () => {
    fates = { [address]: ["hang"] };
    assert.equal((await answered(get(address, mode), 6)).status, 200);
  });

  test(`${mode}: without any answer it ends after 20 seconds`, async () => {
    fates = { [address]: ["hang", "hang"] };
    assert.equal(await answered(get(address, mode), 21), "timeout");
  });
}

for (const fate of ["hang", "reset", "bad"]) {
  test(`${fate}: the kept page takes the place of an answer`, async () => {
    await visit();
    fates = { [BOARD]: [fate] };
    const answer = await answered(get(BOARD, "navigate"), 6);
    assert.match(await answer.text(), /<html data-kept /);
  });
}

test("a page whose file is a proxy's error is not kept, and neither is the error", async () => {
  fates = { [SCRIPT]: ["bad"] };
  await visit();
  assert.deepEqual([...stored.keys()], []);
  await visit();
  assert.equal(await (await get(SCRIPT, "no-cors").answer).text(), "play()");
  assert.equal(stored.size, 1);
});

test("an error that an older worker has kept as a file is not given out", async () => {
  stored.set("board:ada-en:1:/", new Map([[SCRIPT, answers.bad()]]));
  assert.equal((await get(SCRIPT, "no-cors").answer).status, 200);
});
