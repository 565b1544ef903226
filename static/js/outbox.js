// The moves of one attempt on their way to the server. Each is stored in this browser before anything is sent, sent in
// batches, and sent again with the same numbers until the server has answered for it. No DOM, no Sudoku.

const SOON = 2000;
const AT_ONCE = 10;
const MOST = 50; // moves a batch
const LONGEST_WAIT = 60_000;
const KEPT = 20; // attempts remembered in this browser

const alike = (a, b) => a[1] === b[1] && String(a[2]) === String(b[2]) && String(a[3]) === String(b[3]);

/**
 * What is true when this browser holds `local` {moves, acked} and the server's log reads `moves`: the log to go on
 * from, how much of it the server has, and the moves of ours that another device's moves have overtaken.
 */
export function reconcile(moves, local) {
  const ours = local?.moves ?? [];
  const shared = Math.min(moves.length, ours.length);
  for (let index = 0; index < shared; index++) {
    if (!alike(moves[index], ours[index])) return { moves, acked: moves.length, overtaken: ours.slice(index) };
  }
  return { moves: ours.length > moves.length ? ours : moves, acked: moves.length, overtaken: [] };
}

/** What a page shows that may be older than what was acknowledged here (a page kept for offline play). */
export function restore(moves, local) {
  const state = reconcile(moves, local);
  return state.overtaken.length ? state : { ...state, acked: Math.max(state.acked, Math.min(local?.acked ?? 0, state.moves.length)) };
}

const QUIET = ["hint", "check", "pause", "resume"]; // kinds that change no board

/** How many of these moves a player would count. */
export const played = (moves) => moves.filter(([, kind]) => !QUIET.includes(kind)).length;

const NAMING = ["digit", "corner", "centre", "colour", "strike", "erase"]; // kinds that change the cells they name

/** Whether the moves of two devices change cells of their own alone. */
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

/** A batch as the form the server reads: the fields of each move repeated in order. */
export function encode(moves, token) {
  const form = new URLSearchParams({ csrf_token: token });
  for (const [seq, kind, cell, digit] of moves) {
    for (const [name, value] of Object.entries({ seq, kind, cell, digit })) form.append(name, value);
  }
  return form;
}

/** This browser's storage; null where it is forbidden, which throws at the mere mention. */
function ownStorage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

/** The attempts in this browser's storage that the server has whole: [{key, player, at}]. */
export const whole = (storage) =>
  Object.keys(storage)
    .filter((key) => key.startsWith("ninefold:"))
    .map((key) => ({ ...JSON.parse(storage.getItem(key)), key }))
    .filter(({ acked, moves }) => acked === moves?.length);

export class Outbox {
  #timer = null;
  #delivery = null; // the batch under way
  #failures = 0;
  #hurry = false;
  #stopped = false;

  /**
   * on: {taken(text, all) once the server has stored moves, refused(status, text) when it will not have them,
   * waiting(count) when it could not be reached and 0 when it could}. storage, send and later stand in for
   * localStorage, fetch and setTimeout.
   */
  constructor({ attempt, player = "", url, token, moves, on, storage = ownStorage(), send = (...args) => fetch(...args), later = (...args) => setTimeout(...args) }) {
    Object.assign(this, { key: `ninefold:${attempt}`, player, url, token, on, storage, send, later });
    const local = this.#stored();
    const state = restore(moves, local);
    this.moves = [...state.moves];
    this.acked = state.acked;
    this.overtaken = state.overtaken.length ? state.overtaken : (local?.overtaken ?? []);
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
    this.#store();
    this.#schedule(this.unsent.length >= AT_ONCE && !this.#failures ? 0 : SOON);
  }

  /** Go on sending after `hold`. */
  resume() {
    this.#stopped = false;
    if (this.unsent.length) this.#schedule(0);
  }

  /** Send what there is, now. last: the page is going away and no answer will be read. */
  flush({ last = false } = {}) {
    this.#cancel();
    if (last) {
      if (this.unsent.length && !this.#stopped) this.#post(this.unsent.slice(0, MOST), true).catch(() => {});
      return Promise.resolve();
    }
    this.#hurry = !!this.#delivery;
    return this.#delivery ?? this.#deliver();
  }

  /** Send everything and then hold back, for the server is to add moves of its own; false where it cannot be reached. */
  async hold() {
    for (let tries = 0; this.unsent.length && tries < 3; tries++) await (this.#delivery ?? this.flush());
    if (this.unsent.length) return false;
    this.#stopped = true;
    return true;
  }

  /**
   * Go on from the server's log. from: our moves after this many are younger than that log and get new numbers behind
   * it. aside: our unsent moves are not to be sent again; they become overtaken ones.
   */
  adopt(moves, { from = null, aside = false } = {}) {
    const state = reconcile(moves, { moves: this.moves.slice(0, from ?? undefined) });
    let younger = from === null ? [] : this.moves.slice(from);
    let overtaken = aside && !state.overtaken.length ? state.moves.slice(state.acked) : state.overtaken;
    // Hints and pauses of another device leave the board as it is: ours simply come behind them.
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

  /** The overtaken moves, which are from now on forgotten here. */
  release() {
    const moves = this.overtaken;
    this.overtaken = [];
    this.#store();
    return moves;
  }

  /** Another tab of this browser has stored something: true when it continued what we have. */
  follow() {
    const local = this.#stored();
    if (!local || local.moves.length <= this.moves.length) return false;
    if (reconcile(local.moves, { moves: this.moves }).overtaken.length) return false;
    this.moves = local.moves;
    this.acked = Math.max(this.acked, local.acked);
    return true;
  }

  #deliver() {
    const batch = this.unsent.slice(0, MOST);
    if (batch.length && !this.#stopped) this.#delivery = this.#send(batch);
    return this.#delivery ?? Promise.resolve();
  }

  async #send(batch) {
    let response;
    let text = "";
    try {
      response = await this.#post(batch);
      text = await response.text();
    } catch {
      response = null; // no answer: the moves may be stored or not, and the same numbers settle it
    }
    this.#delivery = null;
    const status = response?.status ?? 0;
    if (status === 200) {
      this.#failures = 0;
      this.acked = Math.max(this.acked, batch.at(-1)[0]);
      this.#store();
      this.on.waiting(0);
      this.on.taken(text, this.acked === this.moves.length);
      if (this.unsent.length) this.#schedule(this.#hurry || this.unsent.length >= AT_ONCE ? 0 : SOON);
      this.#hurry = false;
    } else if (!status || status === 429 || status >= 500) {
      this.#failures++;
      const wait = Number(response?.headers.get("Retry-After")) * 1000 || Math.min(SOON * 2 ** (this.#failures - 1), LONGEST_WAIT);
      this.on.waiting(this.unsent.length);
      this.#schedule(wait);
    } else {
      this.#stopped = true; // nothing is sent until somebody has looked at the server's log
      this.on.refused(status, text);
    }
  }

  #post(batch, keepalive = false) {
    const headers = { "HX-Request": "true", "X-CSRFToken": this.token };
    return this.send(this.url, { method: "POST", body: encode(batch, this.token), headers, keepalive, redirect: "error" });
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

  #stored() {
    try {
      return JSON.parse(this.storage.getItem(this.key));
    } catch {
      return null;
    }
  }

  #store() {
    const text = JSON.stringify({ player: this.player, acked: this.acked, moves: this.moves, overtaken: this.overtaken, at: Date.now() });
    try {
      this.storage.setItem(this.key, text);
    } catch {
      try {
        this.#prune(0);
        this.storage.setItem(this.key, text);
      } catch {
        // Storage is full or forbidden: the moves still go to the server, only the copy on this device is missing.
      }
    }
  }

  /** Forget the oldest attempts that the server has whole. */
  #prune(keep) {
    const others = whole(this.storage).filter(({ key }) => key !== this.key).sort((a, b) => b.at - a.at);
    for (const { key } of others.slice(keep)) this.storage.removeItem(key);
  }

  /** Keep this browser's memory small; called once a page. */
  tidy() {
    try {
      this.#prune(KEPT);
    } catch {
      // Storage that cannot be read need not be tidied.
    }
  }
}
