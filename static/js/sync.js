// The board's side of the connection: what becomes of the server's answers, of two devices that went different ways,
// and of a page that is left and taken up again.

import { fold } from "./fold.js";
import { Outbox } from "./outbox.js";

const PROBE = 10_000; // ms
const parse = (text) => new DOMParser().parseFromString(text, "text/html");
const AWAY = 5 * 60_000; // ms after which a page taken up again waits to be asked

/**
 * on: {changed() when the game is another or the partials around the board are new, reached() when the server is
 * gone or back (`cut`), offered(game) when moves of this
 * device were overtaken and its board is to be shown beside the server's, left() and returned() when the page is; left
 * tells whether it has stopped the clock}
 */
export function connect(root, { phrase, on }) {
  const board = root.querySelector("#board");
  const { givens } = board.dataset;
  const written = JSON.parse(board.dataset.log);
  const notice = banner(root.querySelector("#banner"), phrase);
  let stumbles = 0; // refusals in a row
  let probing = null;

  const outbox = new Outbox({
    attempt: root.dataset.attempt, url: root.dataset.moves, moves: written,
    token: root.querySelector("input[name=csrf_token]").value,
    on: { taken, refused, waiting: (count) => reach(!count) },
  });

  const state = {
    outbox,
    game: folded(),
    cut: "kept" in document.documentElement.dataset || !navigator.onLine,
    reach,
    /** Add a move that has been played and painted. */
    add(move, game) {
      state.game = game;
      outbox.add(move);
      if (state.cut) reach(false);
      if (game.board.digits.every(Boolean) || (game.paused && !document.hidden)) outbox.flush();
    },
    /** The overtaken moves, to be put on top of the server's board or let go; they are handed over once. */
    release: () => outbox.release(),
    /** Say something in the line beside the board; "" takes it back. */
    tell: (text, about = "help") => notice(text, { about }),
    offer,
    ask,
  };

  function folded() {
    try {
      return fold(givens, outbox.moves);
    } catch {
      outbox.adopt(written, { aside: true }); // what this browser kept does not fit the board
      return fold(givens, outbox.moves);
    }
  }

  async function taken(text, all) {
    stumbles = 0;
    board.dataset.seq = outbox.acked;
    if (!all) return; // newer moves have been played meanwhile; their answer is the one to show
    await swap(text);
  }

  async function swap(text) {
    await globalThis.htmx?.swap({ text, sourceElement: document.body, target: document.body, swap: "none" });
    on.changed();
  }

  /**
   * Ask the server for help, which it logs as moves of its own; null where it cannot be reached, "" where it gave none
   * and its reason is shown. Whatever is played before the answer is there is painted and kept, and comes behind those
   * moves.
   */
  async function ask(url, form) {
    if (!(await outbox.hold())) return null;
    const from = outbox.moves.length;
    form.set("seq", outbox.next);
    try {
      const answer = await fetch(url, { method: "POST", body: new URLSearchParams(form), headers: { "HX-Request": "true" } });
      const text = await answer.text();
      if (!answer.ok) {
        if ([409, 422].includes(answer.status)) refused(answer.status);
        else {
          outbox.resume();
          notice(parse(text).querySelector(".notice span")?.textContent ?? phrase("helpless"), { about: "help" });
        }
        return "";
      }
      const { log } = parse(text).getElementById("caught-up").dataset;
      outbox.adopt(JSON.parse(log), { from });
      state.game = folded();
      board.dataset.seq = outbox.acked;
      await swap(text);
      return text;
    } catch {
      outbox.resume();
      reach(false, "helpless");
      return null;
    }
  }

  /** Whether the server can be reached, as far as is known here; why: a phrase to tell instead of the usual. */
  function reach(up, why = "") {
    const count = outbox.unsent.length;
    const was = state.cut;
    state.cut = !up;
    const about = "connection";
    if (up) notice("", { about });
    else notice(phrase(why || (state.game.solved ? "unconfirmed" : count ? "unsent" : "offline")), { about, count });
    if (was !== state.cut) on.reached();
    // With nothing to send, nobody else would find out that the server is back.
    clearTimeout(probing);
    if (!up) probing = setTimeout(probe, PROBE);
  }

  async function probe() {
    try {
      if (!outbox.unsent.length && (await fetch("/healthz")).ok) return reach(true);
    } catch {
      // Still away.
    }
    if (state.cut) reach(false);
  }

  async function refused(status) {
    stumbles++;
    const expired = () => notice(phrase("expired"), { actions: { reload: () => location.reload() } });
    if (stumbles > 2 || ![409, 422].includes(status)) return expired();
    try {
      const answer = await fetch(location.pathname, { redirect: "error" });
      if (!answer.ok) return expired();
      const page = parse(await answer.text());
      outbox.adopt(JSON.parse(page.getElementById("board").dataset.log), { aside: status === 422 });
      state.game = fold(givens, outbox.moves);
      board.dataset.seq = outbox.acked;
      for (const id of ["status", "counts", "finish-panel"]) {
        document.getElementById(id).replaceWith(document.importNode(page.getElementById(id), true));
      }
      on.changed();
      offer();
    } catch {
      expired();
    }
  }

  /** Show both boards where moves of this device were overtaken. */
  function offer() {
    if (!outbox.overtaken.length) return;
    const kept = outbox.moves.slice(0, outbox.overtaken[0][0] - 1);
    let ours = fold(givens, kept);
    try {
      ours = fold(givens, [...kept, ...outbox.overtaken]);
    } catch {
      // Moves that never fitted are offered one by one when they are put on top.
    }
    on.offered(ours);
  }

  // Coming and going

  const awayKey = `${outbox.key}:away`;
  for (const [source, event] of [[document, "visibilitychange"], [globalThis, "pagehide"], [globalThis, "pageshow"]]) {
    source.addEventListener(event, () => (document.hidden || event === "pagehide" ? leave() : back()));
  }

  function leave() {
    if (on.left()) note(Date.now());
    outbox.flush({ last: true });
  }

  function back() {
    const since = Number(note());
    note(null);
    outbox.flush();
    if (since && Date.now() - since < AWAY && state.game.paused) on.returned();
  }

  /** When this page was left with the clock stopped for it; kept in the browser, since a reload is leaving too. */
  function note(value) {
    try {
      if (value === undefined) return sessionStorage.getItem(awayKey);
      if (value === null) sessionStorage.removeItem(awayKey);
      else sessionStorage.setItem(awayKey, value);
    } catch {
      // Without storage the page waits to be asked.
    }
    return null;
  }

  globalThis.addEventListener("online", () => (outbox.unsent.length ? outbox.flush() : probe()));
  globalThis.addEventListener("offline", () => reach(false));
  globalThis.addEventListener("storage", ({ key }) => {
    if (key !== outbox.key || !outbox.follow()) return;
    state.game = folded();
    on.changed();
  });
  outbox.tidy();
  return state;
}

/** A function (text, {about, actions}) for the one line beside the board; "" takes it away. */
function banner(element, phrase) {
  const close = element.querySelector(".banner__close");
  let closed = ""; // what a player has seen enough of
  close.addEventListener("click", () => {
    closed = element.dataset.about;
    element.hidden = true;
  });
  return (text, { about = "", actions = {}, count = 0 } = {}) => {
    if (!text && about !== element.dataset.about) return; // it speaks of something else by now
    if (!text) closed = "";
    element.dataset.about = about;
    const line = element.querySelector(".banner__text");
    if (line.textContent !== text) line.textContent = text;
    element.querySelector(".banner__count").textContent = count || "";
    for (const button of element.querySelectorAll("button:not(.banner__close)")) button.remove();
    for (const [key, act] of Object.entries(actions)) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button", textContent: phrase(key) });
      button.addEventListener("click", act);
      element.append(button);
    }
    element.hidden = !text || (about !== "" && about === closed);
  };
}
