// The board's part of the connection: the server's responses, conflicts between two devices, and leaving and resuming
// the page.

import { fold } from "./fold.js";
import { apart, Outbox, played } from "./outbox.js";
import { giveUp, request } from "./request.js";
import { AWAY } from "./time.js";

const PROBE = 10_000; // ms
const SILENCE = 4000; // ms before the player is notified that help takes long
const TRIES = 2; // for help: repeated with the same number, it is given once
const AGAIN = 2000; // ms until the server's log is requested again
const parse = (text) => new DOMParser().parseFromString(text, "text/html");
const reason = (text) => parse(text).querySelector(".notice span")?.textContent;
const FULL = 413; // status: the game has reached the limit of moves

/**
 * on: {changed() when the game or the partials around the board have changed, reached() when the server is lost or back
 * (`cut`), offered(mine, apart) when moves of this device were overtaken; apart: the other device changed other cells,
 * left() and returned() when the page is; left returns whether it has stopped the clock}
 */
export function connect(root, { phrase, on }) {
  const board = root.querySelector("#board");
  const { givens } = board.dataset;
  const written = JSON.parse(board.dataset.log);
  const notice = banner(root.querySelector("#banner"));
  const saved = (key) => phrase(outbox.kept ? key : `${key}-unkept`); // promises only what this browser holds
  let stumbles = 0; // consecutive refusals
  let probing = null;

  const outbox = new Outbox({
    attempt: root.dataset.attempt, player: document.documentElement.dataset.player, url: root.dataset.moves, moves: written,
    token: root.querySelector("input[name=csrf_token]").value,
    on: { taken, refused, silent, waiting: (count) => reach(!count) },
  });

  const state = {
    outbox,
    game: folded(),
    cut: "kept" in document.documentElement.dataset || !navigator.onLine,
    fullSince: 0, // when the board was first correct on this device
    reach,
    /** Add a move that has been played and painted. */
    add(move, game) {
      state.game = game;
      outbox.add(move);
      if (state.cut) reach(false);
      const full = game.board.digits.every(Boolean);
      outbox.urgent = full;
      if (game.solved) state.fullSince = Date.now();
      if (full || (game.paused && !document.hidden)) outbox.flush();
    },
    /** Show a message beside the board; "" removes it. */
    tell: (text, about = "help") => notice(text, { about }),
    offer,
    ask,
  };

  function folded() {
    try {
      return fold(givens, outbox.moves);
    } catch {
      outbox.adopt(written, { aside: true }); // what this browser kept doesn't fit the board
      return fold(givens, outbox.moves);
    }
  }

  async function taken(text, all) {
    stumbles = 0;
    board.dataset.seq = outbox.acked;
    if (!all) return; // newer moves have been played meanwhile; their response is the one to show
    await swap(text);
  }

  async function swap(text, { needed = state.game.solved } = {}) {
    if (!globalThis.htmx && needed) return location.reload(); // it failed to load
    await globalThis.htmx?.swap({ text, sourceElement: document.body, target: document.body, swap: "none" });
    on.changed();
  }

  /** Moves have been on their way for some seconds. */
  function silent() {
    if (!state.cut) notice(state.game.solved ? phrase("confirming") : saved("silent"), { about: "connection" });
  }

  /**
   * Ask the server for help, which it logs as moves of its own; null if it can't be reached, "" if it gave none and its
   * reason is shown. Moves played before the response are painted and kept, and follow those moves.
   */
  async function ask(url, form) {
    if (!(await outbox.hold())) return null;
    const from = outbox.moves.length;
    form.set("seq", outbox.next);
    const silence = setTimeout(() => notice(phrase("asking"), { about: "asking" }), SILENCE);
    const answer = await answered(url, form);
    clearTimeout(silence);
    notice("", { about: "asking" });
    if (!answer) {
      outbox.resume();
      reach(false, "helpless");
      return null;
    }
    const { ok, status, text } = answer;
    if (ok) {
      outbox.adopt(JSON.parse(parse(text).getElementById("caught-up").dataset.log), { from });
      state.game = folded();
      board.dataset.seq = outbox.acked;
      await swap(text, { needed: true });
      return text;
    }
    if ([409, 422].includes(status)) refused(status);
    else {
      outbox.resume();
      notice(reason(text) ?? saved("helpless"), { about: "help" });
    }
    return "";
  }

  /** Return the response to a form that asks for help, or null; a failure without a reason is retried. */
  async function answered(url, form) {
    const body = new URLSearchParams(form);
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await request(url, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => null);
      if (answer && (answer.status < 500 || reason(answer.text))) return answer;
    }
    return null;
  }

  /** Set whether the server is reachable; why: a phrase to show instead of the usual one. */
  function reach(up, why = "") {
    const count = played(outbox.unsent);
    const was = state.cut;
    state.cut = !up;
    const some = count && outbox.kept;
    const told = state.game.solved ? "unconfirmed" : some ? (count === 1 ? "unsent-1" : "unsent") : "offline";
    notice(up ? "" : saved(why || told), { about: "connection", count });
    if (was !== state.cut) on.reached();
    // With nothing to send, only a probe can find out that the server is back.
    clearTimeout(probing);
    if (!up) probing = setTimeout(probe, PROBE);
  }

  async function probe() {
    try {
      if (!outbox.unsent.length && (await request("/healthz")).ok) return reach(true);
    } catch {
      // Still unreachable.
    }
    if (state.cut) reach(false);
  }

  async function refused(status, text = "") {
    stumbles++;
    const expired = () => notice(saved("expired"));
    if (stumbles > 2 || ![409, FULL, 422].includes(status)) return expired();
    let answer;
    try {
      answer = await request(location.pathname, { redirect: "manual" });
    } catch {
      answer = { status: 503 };
    }
    if (answer.status >= 500) {
      reach(false);
      stumbles--;
      return setTimeout(refused, AGAIN, status, text);
    }
    if (!answer.ok) return expired();
    const page = parse(answer.text);
    outbox.adopt(JSON.parse(page.getElementById("board").dataset.log), { aside: status !== 409 });
    if (status === FULL) outbox.release(); // the server will never accept them
    state.game = folded();
    board.dataset.seq = outbox.acked;
    for (const id of ["status", "counts", "finish-panel"]) {
      document.getElementById(id).replaceWith(page.getElementById(id));
    }
    reach(true);
    on.changed();
    offer();
    if (status === FULL) notice(reason(text), { about: "help" });
  }

  /** If moves of this device were overtaken, report them and whether the other device changed other cells. */
  function offer() {
    const mine = outbox.overtaken;
    if (mine.length) on.offered(mine, apart(outbox.moves.slice(mine[0][0] - 1), mine));
  }

  // Leaving and returning

  for (const [source, event] of [[document, "visibilitychange"], [globalThis, "pagehide"], [globalThis, "pageshow"]]) {
    source.addEventListener(event, () => (document.hidden || event === "pagehide" ? leave() : back()));
  }

  function leave() {
    const before = outbox.away;
    outbox.away = Date.now(); // before the pause is stored, which other tabs then see
    if (!on.left()) outbox.away = before;
    outbox.flush({ last: true });
  }

  function back() {
    follow();
    outbox.flush();
  }

  /**
   * Continue from what another tab has stored. Leaving one tab doesn't stop the clock while the game is visible in
   * another.
   */
  function follow() {
    if (outbox.follow()) {
      state.game = folded();
      on.changed();
    }
    if (document.hidden) return;
    const since = outbox.away;
    outbox.away = 0;
    if (since && Date.now() - since < AWAY && state.game.paused) on.returned();
  }

  globalThis.addEventListener("online", () => {
    giveUp(); // aborts what the lost connection has swallowed
    if (outbox.unsent.length) outbox.flush();
    else probe();
  });
  globalThis.addEventListener("offline", () => reach(false));
  globalThis.addEventListener("storage", ({ key }) => key === outbox.key && follow());
  outbox.tidy();
  return state;
}

/**
 * Return a function (text, {about, count}) for the one line beside the board; "" removes it. Without `about`: reload
 * the page.
 */
function banner(element) {
  const close = element.querySelector("button");
  const reload = element.querySelector("template").content.firstElementChild;
  const counter = element.querySelector(".banner__count");
  let shown = element.querySelector(".banner__text").textContent;
  let closed = ""; // what a player has seen enough of
  reload.addEventListener("click", () => location.reload());
  close.addEventListener("click", () => {
    closed = element.dataset.about;
    element.hidden = true;
  });
  return (text, { about = "", count = 0 } = {}) => {
    if (!text && about !== element.dataset.about) return; // it is about something else by now
    if (!text) closed = "";
    element.dataset.about = about;
    const line = element.querySelector(".banner__text");
    if (shown !== text) {
      const [before, after] = text.split("{count}");
      line.replaceChildren(before, ...(after === undefined ? [] : [counter, after])); // alone a new number isn't read out again
      shown = text;
    }
    counter.textContent = count || "";
    if (about) reload.remove();
    else element.append(reload);
    element.hidden = !text || (about !== "" && about === closed);
  };
}
