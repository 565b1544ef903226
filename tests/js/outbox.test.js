// Moves on their way to the server: stored first, sent in batches, sent again until acknowledged, never duplicated.
import assert from "node:assert/strict";
import test from "node:test";

import { Outbox, apart, encode, reconcile, restore, whole } from "../../static/js/outbox.js";

const move = (seq, digit = 1) => [seq, "digit", String(seq), digit];
const moves = (...seqs) => seqs.map((seq) => move(seq));

class Storage {
  setItem(key, value) { this[key] = value; }
  getItem(key) { return this[key] ?? null; }
  removeItem(key) { delete this[key]; }
}

/** A server that stores moves by number, and a clock under the test's control. */
function world({ stored = [], local, storage = new Storage(), fail = () => null } = {}) {
  const log = [...stored];
  const posts = [];
  const heard = [];
  const timers = [];
  if (local) storage.setItem("ninefold:a", JSON.stringify(local));
  const send = async (_url, { body, keepalive }) => {
    const seqs = body.getAll("seq").map(Number);
    posts.push({ seqs, keepalive });
    const status = fail(posts.length);
    if (status === "lost") throw new TypeError("network");
    if (status === "page came back") throw new DOMException("", "AbortError");
    if (status === "answer lost") {
      store(body);
      throw new TypeError("network");
    }
    if (status) return { status, headers: new Headers(), text: "" };
    store(body);
    return { status: 200, headers: new Headers(), text: `stored ${log.length}` };
  };
  const store = (body) => {
    const [seqs, kinds, cells, digits] = ["seq", "kind", "cell", "digit"].map((name) => body.getAll(name));
    seqs.forEach((seq, index) => (log[Number(seq) - 1] = [Number(seq), kinds[index], cells[index], Number(digits[index])]));
  };
  const open = (page = stored) =>
    new Outbox({
      attempt: "a", url: "/moves", token: "t", moves: page, storage, send,
      later: (act, wait) => timers.push({ act, wait }) && timers.length,
      on: {
        taken: (text, all) => heard.push(["taken", text, all]),
        refused: (status) => heard.push(["refused", status]),
        waiting: (count) => heard.push(["waiting", count]),
        silent: () => heard.push(["silent"]),
      },
    });
  const settle = async () => {
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  };
  const ring = async () => {
    const timer = timers.pop();
    timer?.act();
    await settle();
    return timer?.wait;
  };
  return { log, posts, heard, timers, storage, open, ring, settle };
}

test("a move is stored in the browser before anything is sent", () => {
  const { open, posts, storage } = world();
  open().add(move(1));
  assert.deepEqual(JSON.parse(storage["ninefold:a"]).moves, moves(1));
  assert.equal(posts.length, 0);
});

test("moves wait two seconds for company and go in one batch", async () => {
  const { open, posts, ring, log, heard } = world();
  const outbox = open();
  for (const seq of [1, 2, 3]) outbox.add(move(seq));
  assert.equal(await ring(), 2000);
  assert.deepEqual(posts.map(({ seqs }) => seqs), [[1, 2, 3]]);
  assert.deepEqual(log, moves(1, 2, 3));
  assert.deepEqual(outbox.unsent, []);
  assert.deepEqual(heard.at(-1), ["taken", "stored 3", true]);
});

test("ten moves go at once", async () => {
  const { open, ring } = world();
  const outbox = open();
  for (let seq = 1; seq <= 10; seq++) outbox.add(move(seq));
  assert.equal(await ring(), 0);
});

test("what gets no answer is sent again with the same numbers, later each time", async () => {
  const { open, posts, ring, heard, log } = world({ fail: (post) => (post <= 3 ? "lost" : null) });
  const outbox = open();
  outbox.add(move(1));
  const waits = [await ring(), await ring(), await ring(), await ring()];
  assert.deepEqual(waits, [2000, 2000, 4000, 8000]);
  assert.deepEqual(posts.map(({ seqs }) => seqs), [[1], [1], [1], [1]]);
  assert.deepEqual(heard.filter(([what]) => what === "waiting"), [["waiting", 1], ["waiting", 1], ["waiting", 1], ["waiting", 0]]);
  assert.deepEqual(log, moves(1));
});

test("an answer lost on the way changes nothing the second time", async () => {
  const { open, ring, log } = world({ fail: (post) => (post === 1 ? "answer lost" : null) });
  const outbox = open();
  outbox.add(move(1));
  await ring();
  assert.deepEqual(outbox.unsent, moves(1));
  outbox.add(move(2));
  await ring();
  assert.deepEqual(log, moves(1, 2));
  assert.deepEqual(outbox.unsent, []);
});

test("moves played while a batch is under way go in the next one", async () => {
  const { open, posts, ring, timers } = world();
  const outbox = open();
  outbox.add(move(1));
  timers.pop().act();
  outbox.add(move(2));
  await new Promise(setImmediate);
  while (timers.length) await ring();
  assert.deepEqual(posts.map(({ seqs }) => seqs), [[1], [2]]);
});

test("a reload sends what had not been sent", async () => {
  const { open, ring, log } = world({ stored: moves(1), local: { acked: 1, moves: moves(1, 2, 3) } });
  const outbox = open();
  assert.deepEqual(outbox.moves, moves(1, 2, 3));
  assert.equal(await ring(), 0);
  assert.deepEqual(log, moves(1, 2, 3));
});

test("a page older than what was acknowledged here does not send it again", () => {
  const state = restore(moves(1), { acked: 3, moves: moves(1, 2, 3, 4) });
  assert.deepEqual(state, { moves: moves(1, 2, 3, 4), acked: 3, overtaken: [] });
});

test("a server that has gone back is sent what it misses", async () => {
  const { open, ring, log } = world({ stored: moves(1, 2) });
  const outbox = open();
  outbox.moves = moves(1, 2, 3, 4);
  outbox.acked = 4;
  outbox.adopt(moves(1, 2));
  await ring();
  assert.deepEqual(log, moves(1, 2, 3, 4));
});

test("moves of another device win, and ours are kept to be offered", () => {
  const theirs = [move(1), move(2, 9), move(3, 9)];
  const state = reconcile(theirs, { acked: 1, moves: moves(1, 2) });
  assert.deepEqual(state, { moves: theirs, acked: 3, overtaken: moves(2) });
});

test("overtaken moves survive a reload until they are taken back or let go", () => {
  const theirs = [move(1), move(2, 9)];
  const { open } = world({ stored: theirs, local: { acked: 1, moves: moves(1, 2) } });
  assert.deepEqual(open().overtaken, moves(2));
  const again = open();
  assert.deepEqual(again.overtaken, moves(2));
  assert.deepEqual(again.release(), moves(2));
  assert.deepEqual(open().overtaken, []);
});

test("a refusal stops the sending until the server's log is adopted", async () => {
  const { open, ring, heard, posts, timers } = world({ fail: (post) => (post === 1 ? 409 : null) });
  const outbox = open();
  outbox.add(move(1));
  await ring();
  assert.deepEqual(heard.at(-1), ["refused", 409]);
  outbox.add(move(2));
  assert.equal(timers.length, 0);
  outbox.adopt([]);
  await ring();
  assert.deepEqual(posts.at(-1).seqs, [1, 2]);
});

test("moves the server will not have are set aside, not sent again", () => {
  const { open, timers } = world();
  const outbox = open();
  outbox.add(move(1));
  timers.length = 0;
  outbox.adopt([], { aside: true });
  assert.deepEqual([outbox.moves, outbox.overtaken, timers.length], [[], moves(1), 0]);
});

test("a page that goes away leaves its moves with the browser", async () => {
  const { open, posts, settle, log } = world();
  const outbox = open();
  outbox.add(move(1));
  outbox.flush({ last: true });
  await settle();
  assert.deepEqual(posts, [{ seqs: [1], keepalive: true }]);
  assert.deepEqual(log, moves(1));
});

test("another tab's moves are followed where they continue ours", () => {
  const storage = new Storage();
  const { open } = world({ storage });
  const [one, two] = [open(), open()];
  one.add(move(1));
  assert.equal(two.follow(), true);
  assert.deepEqual(two.moves, moves(1));
  assert.equal(one.follow(), false);
});

test("a batch repeats the four fields of each move in order", () => {
  assert.equal(
    encode([[1, "digit", "30", 4], [2, "undo", "", ""]], "t").toString(),
    "csrf_token=t&seq=1&kind=digit&cell=30&digit=4&seq=2&kind=undo&cell=&digit=",
  );
});

test("storage that refuses everything stops no move", async () => {
  const storage = { getItem() { throw new Error("denied"); }, setItem() { throw new Error("denied"); } };
  const { open, ring, log } = world({ storage });
  const outbox = open([]);
  outbox.add(move(1));
  await ring();
  assert.deepEqual(log, moves(1));
});

test("what is played while the server adds moves of its own comes behind them", async () => {
  const { open, ring, log } = world();
  const outbox = open();
  outbox.add(move(1));
  assert.equal(await outbox.hold(), true);
  const from = outbox.moves.length;
  outbox.add(move(2, 7));
  log.push([2, "hint", "", 1]);
  outbox.adopt([...log], { from });
  assert.deepEqual(outbox.moves, [move(1), [2, "hint", "", 1], [3, "digit", "2", 7]]);
  await ring();
  assert.deepEqual(log.at(-1), [3, "digit", "2", 7]);
});

test("without a connection nobody holds back", async () => {
  const { open } = world({ fail: () => "lost" });
  const outbox = open();
  outbox.add(move(1));
  assert.equal(await outbox.hold(), false);
});

test("hints and pauses of another device overtake nothing", () => {
  const { open } = world();
  const outbox = open();
  outbox.add(move(1));
  outbox.adopt([[1, "pause", "", ""], [2, "resume", "", ""], [3, "hint", "", 2]]);
  assert.deepEqual(outbox.moves.at(-1), [4, "digit", "1", 1]);
  assert.deepEqual(outbox.overtaken, []);
});

test("a pause that lasts does", () => {
  const { open } = world();
  const outbox = open();
  outbox.add(move(1));
  outbox.adopt([[1, "pause", "", ""]]);
  assert.deepEqual([outbox.moves.length, outbox.overtaken], [1, moves(1)]);
});

test("moves of two devices are apart where each names cells of its own", () => {
  const [mine, other] = [[[2, "digit", "3,4", 5]], (kind, cells) => [[2, kind, cells, 1], [3, "pause", "", ""]]];
  assert.equal(apart(other("corner", "5,6"), mine), true);
  assert.equal(apart(other("colour", "4:7"), mine), false);
  assert.equal(apart(other("undo", ""), mine), false, "undo names no cell");
  assert.equal(apart([], mine), false, "these the server would not have");
});

test("a pending batch is sent again at once when the page is restored, without a message", async () => {
  const { open, ring, heard, log } = world({ fail: (post) => (post === 1 ? "page came back" : null) });
  open().add(move(1));
  await ring();
  assert.equal(await ring(), 0);
  assert.deepEqual(log, moves(1));
  assert.equal(heard.filter(([what, count]) => what === "waiting" && count).length, 0);
});

test("a full board that gets no answer is sent again at once, then every five seconds", async () => {
  const { open, ring, settle, log } = world({ fail: (post) => (post <= 6 ? "lost" : null) });
  const outbox = open();
  outbox.add(move(1));
  outbox.urgent = true;
  outbox.flush();
  outbox.flush(); // as the last digit is played while its batch is being sent
  await settle();
  const waits = [];
  while (log.length < 1) waits.push(await ring());
  assert.deepEqual(waits, [0, 4000, 5000, 5000, 5000, 5000]);
});

const misshapen = [
  "{", "null", "[]", "1", '{"moves":"12"}', '{"moves":[null]}', '{"moves":{}}', '{"acked":0,"moves":[{}]}', '{"acked":0,"moves":[[1]]}',
  '{"acked":0,"moves":[[1,"dance","0",1]]}', '{"acked":0,"moves":[[2,"digit","0",1]]}', '{"acked":9,"moves":[]}',
  '{"acked":0,"moves":[[1,"digit",{},1]]}', '{"acked":0,"moves":[],"overtaken":"1"}', '{"acked":0,"moves":[],"overtaken":[null]}',
];

for (const record of misshapen) {
  test(`a stored record of another shape is as none: ${record}`, async () => {
    const storage = new Storage();
    storage.setItem("ninefold:a", record);
    const { open, ring, log } = world({ storage });
    const outbox = open();
    assert.deepEqual([outbox.moves, outbox.overtaken, outbox.follow()], [[], [], false]);
    outbox.add(move(1));
    await ring();
    assert.deepEqual(log, moves(1));
  });
}

test("records that can't be read are among those to forget, and end no clean-up", () => {
  const storage = Object.assign(new Storage(), Object.fromEntries(misshapen.map((record, index) => [`ninefold:${index}`, record])));
  assert.equal(whole(storage).length, misshapen.length);
});

test("the outbox knows whether this browser holds its moves", () => {
  const full = { setItem: () => { throw new Error("full"); }, getItem: () => null };
  const { open } = world({ storage: full });
  const outbox = open();
  assert.equal(outbox.kept, false);
  full.setItem = () => {};
  outbox.add(move(1));
  assert.equal(outbox.kept, true);
});
