// The unsent moves of one attempt. Each is stored in this browser before anything is sent, sent in batches, and resent
// with the same numbers until the server acknowledges it. No DOM, no Sudoku.

import { request } from "./request.js";

const SOON = 2000;
const AT_ONCE = 10;
const MOST = 50; // moves per batch
const LONGEST_WAIT = 15_000;
const MOST_ASKED = 60_000; // ms that a server may ask us to wait
const SILENCE = 4000; // ms without a response before the player is notified
const URGENT = 5000; // timeout in ms, and at most between two tries, while the player waits for it
const LATE = 5000; // ms that a move has waited from which the server shows it
const KEPT = 20; // attempts kept in this browser

const alike = (a, b) => a[1] === b[1] && String(a[2]) === String(b[2]) && String(a[3]) === String(b[3]);

/**
 * Reconcile this browser's `local` {moves, acked} with the server's log `moves`: the log to continue from, how much of
 * it the server has, and those of our moves that another device's moves have overtaken.
 */
export function reconcile(moves, local) {
  const ours = local?.moves ?? [];
  const shared = Math.min(moves.length, ours.length);
  for (let index = 0; index < shared; index++) {
    if (!alike(moves[index], ours[index])) return { moves, acked: moves.length, overtaken: ours.slice(index) };
  }
  return { moves: ours.length > moves.length ? ours : moves, acked: moves.length, overtaken: [] };
}

/** Return the state of a page that may be older than what was acknowledged here (a page cached for offline play). */
export function restore(moves, local) {
  const state = reconcile(moves, local);
  return state.overtaken.length ? state : { ...state, acked: Math.max(state.acked, Math.min(local?.acked ?? 0, state.moves.length)) };
}

const QUIET = ["hint", "check", "pause", "resume", "keep"]; // kinds that don't change the board

/** Count the moves that a player would count. */
export const played = (moves) => moves.filter(([, kind]) => !QUIET.includes(kind)).length;

const NAMING = ["digit", "corner", "centre", "colour", "strike", "erase"]; // kinds that change the cells they name

/** Whether the moves of two devices change different cells. */
export function apart(theirs, mine) {
  const all = [theirs, mine].map((moves) => moves.filter(([, kind]) => !QUIET.includes(kind)));
  if (!theirs.length || !all.flat().every(([, kind]) => NAMING.includes(kind))) return false;
  const [one, two] = all.map((moves) => new Set(moves.flatMap(([, , cells]) => String(cells).split(",").map((cell) => parseInt(cell, 10)))));
  return [...one].every((cell) => !two.has(cell));
}

/** Whether these moves change no board and leave the clock running. */
function quiet(moves) {
  const kinds = moves.map(([, kind]) => kind);
  const clock = kinds.filter((kind) => kind === "pause" || kind === "resume").at(-1);
  return clock !== "pause" && !played(moves);
}

/** Encode a batch as the server's form: the fields of each move repeated in order. */
export function encode(moves, token) {
  const form = new URLSearchParams({ csrf_token: token });
  for (const [seq, kind, cell, digit] of moves) {
    for (const [name, value] of Object.entries({ seq, kind, cell, digit })) form.append(name, value);
  }
  return form;
}

/** Return this browser's storage; null if it is forbidden, since then any access throws. */
function ownStorage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

const KINDS = [...NAMING, ...QUIET, "fill", "undo", "redo"];
const PART = ["string", "number"];

/** Whether this is a list of moves, numbered from `first`; null: from any number. */
function isLog(moves, first = 1) {
  if (!Array.isArray(moves)) return false;
  const from = first ?? moves[0]?.[0];
  return moves.every((move, index) => Array.isArray(move) && move.length === 4 && move[0] === from + index
    && KINDS.includes(move[1]) && PART.includes(typeof move[2]) && PART.includes(typeof move[3]));
}

/**
 * Return what is stored under a key: {player, acked, moves, overtaken, at, away, made}; null if it isn't ours, or has
 * another shape.
 */
export function stored(storage, key) {
  try {
    const { player = "", acked, moves, overtaken = [], at = 0, away = 0, made = 0 } = JSON.parse(storage.getItem(key));
    const sound = isLog(moves) && isLog(overtaken, null) && Number.isInteger(acked) && acked >= 0 && acked <= moves.length;
    return sound ? { player, acked, moves, overtaken, at: Number(at), away: Number(away), made: Number(made) } : null;
  } catch {
    return null;
  }
}

/** The attempts in this browser's storage that can be deleted: those the server has completely, and unreadable ones. */
export const whole = (storage) =>
  Object.keys(storage)
    .filter((key) => /^ninefold:[^:]+$/.test(key))
    .map((key) => ({ at: 0, ...(stored(storage, key) ?? { acked: 0, moves: [] }), key }))
    .filter(({ acked, moves }) => acked === moves.length);

export class Outbox {
  #timer = null;
  #delivery = null; // the batch being sent
  #failures = 0;
  #hurry = false;
  #stopped = false;
  urgent = false; // the player waits for the response to the latest move
  made = 0; // when the latest move was made
  slept = null; // {seq, since}: the pause that began before it was made, and when
  kept = true; // whether this browser's storage holds every move
  away = 0; // when the last tab of this game was left with the clock stopped for it

  /**
   * on: {taken(text, all) once the server has stored moves, refused(status, text) when it rejects them, waiting(count)
   * when it couldn't be reached and 0 when it could, silent() when a response takes long}. storage, send and later
   * replace localStorage, request and setTimeout.
   */
  constructor({ attempt, player = "", url, token, moves, on, storage = ownStorage(), send = request, later = (...args) => setTimeout(...args) }) {
    Object.assign(this, { key: `ninefold:${attempt}`, player, url, token, on, storage, send, later });
    const local = stored(this.storage, this.key);
    const state = restore(moves, local);
    this.moves = [...state.moves];
    this.acked = state.acked;
    this.overtaken = state.overtaken.length ? state.overtaken : (local?.overtaken ?? []);
    this.away = local?.away ?? 0;
    this.made = local?.made ?? 0;
    this.#store();
    if (this.unsent.length) this.#schedule(0);
  }

  get unsent() {
    return this.moves.slice(this.acked);
  }

  get next() {
    return this.moves.length + 1;
  }

  /** Take a move [seq, kind, cell, digit]; on return it is in this browser's storage. */
  add(move) {
    this.moves.push(move);
    this.made = Date.now();
    this.#store();
    this.#schedule(this.unsent.length >= AT_ONCE && !this.#failures ? 0 : SOON);
  }

  /** Resume sending after `hold`. */
  resume() {
    this.#stopped = false;
    if (this.unsent.length) this.#schedule(0);
  }

  /** Send all moves now. last: the page is being closed and no response will be read. */
  flush({ last = false } = {}) {
    this.#cancel();
    if (last) {
      if (this.unsent.length && !this.#stopped) this.#post(this.unsent.slice(0, MOST), true).catch(() => {});
      return Promise.resolve();
    }
    this.#hurry = !!this.#delivery;
    return this.#delivery ?? this.#deliver();
  }

  /** Send everything and then pause, since the server will add moves of its own; false if it can't be reached. */
  async hold() {
    for (let tries = 0; this.unsent.length && tries < 3; tries++) {
      const before = this.#failures;
      await (this.#delivery ?? this.flush());
      if (this.#failures > before) return false;
    }
    if (this.unsent.length) return false;
    this.#stopped = true;
    return true;
  }

  /**
   * Continue from the server's log. from: our moves after this many are newer than that log and get new numbers after
   * it. aside: our unsent moves aren't resent; they become overtaken ones.
   */
  adopt(moves, { from = null, aside = false } = {}) {
    const state = reconcile(moves, { moves: this.moves.slice(0, from ?? undefined) });
    let younger = from === null ? [] : this.moves.slice(from);
    let overtaken = aside && !state.overtaken.length ? state.moves.slice(state.acked) : state.overtaken;
    // Hints and pauses of another device don't change the board: ours are appended to them.
    if (!aside && overtaken.length && quiet(moves.slice(overtaken[0][0] - 1))) [younger, overtaken] = [overtaken, []];
    if (overtaken.length) this.overtaken = overtaken;
    const log = aside ? moves : state.moves;
    this.moves = [...log, ...younger.map(([, ...rest], index) => [log.length + index + 1, ...rest])];
    this.acked = state.acked;
    this.#stopped = false;
    this.#failures = 0;
    this.#store();
    if (this.unsent.length) this.#schedule(0);
  }

  /** Return the overtaken moves, and delete them here. */
  release() {
    const moves = this.overtaken;
    this.overtaken = [];
    this.#store();
    return moves;
  }

  /** Another tab of this browser has stored something: true if it continued our state. */
  follow() {
    const local = stored(this.storage, this.key);
    if (!local || local.moves.length <= this.moves.length) return false;
    if (reconcile(local.moves, { moves: this.moves }).overtaken.length) return false;
    this.moves = local.moves;
    this.acked = Math.max(this.acked, local.acked);
    this.away = local.away;
    return true;
  }

  #deliver() {
    let batch = this.unsent.slice(0, MOST);
    const at = batch.findIndex(([seq]) => seq === this.slept?.seq);
    if (at >= 0) batch = batch.slice(0, at || 1); // it is sent alone
    if (batch.length && !this.#stopped) this.#delivery = this.#send(batch);
    return this.#delivery ?? Promise.resolve();
  }

  async #send(batch) {
    let response = null; // no response: the moves may be stored or not; the same numbers are safe to resend
    let again = false; // the page was restored, and its requests were aborted
    const silence = setTimeout(() => this.on.silent(), SILENCE);
    try {
      response = await this.#post(batch);
    } catch ({ name }) {
      again = name === "AbortError";
    }
    clearTimeout(silence);
    this.#delivery = null;
    const status = response?.status ?? 0;
    if (again) {
      this.#schedule(0);
    } else if (status === 200) {
      this.#failures = 0;
      this.acked = Math.max(this.acked, batch.at(-1)[0]);
      this.#store();
      this.on.waiting(0);
      this.on.taken(response.text, this.acked === this.moves.length);
      if (this.unsent.length) this.#schedule(this.#hurry || this.unsent.length >= AT_ONCE ? 0 : SOON);
      this.#hurry = false;
    } else if (!status || status === 429 || status >= 500) {
      this.#failures++;
      const longest = this.urgent ? URGENT : LONGEST_WAIT;
      const asked = Math.min(Number(response?.headers.get("Retry-After")) * 1000, MOST_ASKED);
      this.on.waiting(this.unsent.length);
      this.#schedule(asked || (this.#hurry ? 0 : Math.min(SOON * 2 ** (this.#failures - 1), longest)));
      this.#hurry = false;
    } else {
      this.#stopped = true; // nothing is sent until the server's log has been read
      this.on.refused(status, response.text);
    }
  }

  #post(batch, keepalive = false) {
    const headers = { "HX-Request": "true", "X-CSRFToken": this.token };
    const patience = this.urgent ? URGENT : undefined;
    const body = encode(batch, this.token);
    if (batch.length === 1 && batch[0][0] === this.slept?.seq) body.append("asleep", Date.now() - this.slept.since);
    const waited = Date.now() - this.made;
    if (this.made && waited > LATE) body.append("waited", waited);
    return this.send(this.url, { method: "POST", body, headers, keepalive, patience, redirect: "error" });
  }

  #schedule(wait) {
    if (this.#stopped || (this.#timer !== null && wait > 0)) return;
    this.#cancel();
    this.#timer = this.later(() => {
      this.#timer = null;
      if (!this.#delivery) this.#deliver();
    }, wait);
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  #store() {
    const { player, acked, moves, overtaken, away, made } = this;
    const text = JSON.stringify({ player, acked, moves, overtaken, away, made, at: Date.now() });
    try {
      this.storage.setItem(this.key, text);
      this.kept = true;
    } catch {
      try {
        this.#prune(0);
        this.storage.setItem(this.key, text);
        this.kept = true;
      } catch {
        this.kept = false; // full or forbidden: the moves are still sent to the server
      }
    }
  }

  /** Delete the oldest attempts that the server has completely. */
  #prune(keep) {
    const others = whole(this.storage).filter(({ key }) => key !== this.key).sort((a, b) => b.at - a.at);
    for (const { key } of others.slice(keep)) this.storage.removeItem(key);
  }

  /** Limit this browser's storage; called once per page. */
  tidy() {
    try {
      this.#prune(KEPT);
    } catch {
      // Storage that can't be read needs no tidying.
    }
  }
}
