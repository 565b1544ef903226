// The board's side of the connection: what becomes of the server's answers, of two devices that went different ways,
// and of a page that is left and taken up again.

import { fold } from "./fold.js";
import { apart, Outbox, played } from "./outbox.js";
import { remembered } from "./session.js";

const PROBE = 10_000; // ms
const parse = (text) => new DOMParser().parseFromString(text, "text/html");
const reason = (text) => parse(text).querySelector(".notice span")?.textContent;
const FULL = 413; // the game has as many moves as are kept
const AWAY = 5 * 60_000; // ms after which a page taken up again waits to be asked

/**
 * on: {changed() when the game is another or the partials around the board are new, reached() when the server is
 * gone or back (`cut`), offered(mine, apart) when moves of
 * this device were overtaken; apart: the other device's changed other cells, left() and returned() when the page is; left
 * tells whether it has stopped the clock}
 */
export function connect(root, { phrase, on }) {
  const board = root.querySelector("#board");
  const { givens } = board.dataset;
  const written = JSON.parse(board.dataset.log);
  const notice = banner(root.querySelector("#banner"));
  let stumbles = 0; // refusals in a row
  let probing = null;

  const outbox = new Outbox({
    attempt: root.dataset.attempt, player: document.documentElement.dataset.player, url: root.dataset.moves, moves: written,
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
          notice(reason(text) ?? phrase("helpless"), { about: "help" });
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
    const count = played(outbox.unsent);
    const was = state.cut;
    state.cut = !up;
    const told = state.game.solved ? "unconfirmed" : count ? "unsent" : "offline";
    notice(up ? "" : phrase(why || told), { about: "connection", count });
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

  async function refused(status, text = "") {
    stumbles++;
    const expired = () => notice(phrase("expired"));
    if (stumbles > 2 || ![409, FULL, 422].includes(status)) return expired();
    try {
      const answer = await fetch(location.pathname, { redirect: "error" });
      if (!answer.ok) return expired();
      const page = parse(await answer.text());
      outbox.adopt(JSON.parse(page.getElementById("board").dataset.log), { aside: status !== 409 });
      if (status === FULL) outbox.release(); // the server will never have them
      state.game = fold(givens, outbox.moves);
      board.dataset.seq = outbox.acked;
      for (const id of ["status", "counts", "finish-panel"]) {
        document.getElementById(id).replaceWith(page.getElementById(id));
      }
      on.changed();
      offer();
      if (status === FULL) notice(reason(text), { about: "help" });
    } catch {
      expired();
    }
  }

  /** Where moves of this device were overtaken, report them and whether the other's changed other cells. */
  function offer() {
    const mine = outbox.overtaken;
    if (mine.length) on.offered(mine, apart(outbox.moves.slice(mine[0][0] - 1), mine));
  }

  // Coming and going

  // When this page was left with the clock stopped for it; kept in the browser, since a reload is leaving too.
  const awayKey = `${outbox.key}:away`;
  for (const [source, event] of [[document, "visibilitychange"], [globalThis, "pagehide"], [globalThis, "pageshow"]]) {
    source.addEventListener(event, () => (document.hidden || event === "pagehide" ? leave() : back()));
  }

  function leave() {
    if (on.left()) remembered(awayKey, Date.now());
    outbox.flush({ last: true });
  }

  function back() {
    const since = Number(remembered(awayKey));
    remembered(awayKey, null);
    outbox.flush();
    if (since && Date.now() - since < AWAY && state.game.paused) on.returned();
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

/** A function (text, {about, count}) for the one line beside the board; "" takes it away. About nothing: reload the page. */
function banner(element) {
  const close = element.querySelector("button");
  const reload = element.querySelector("template").content.firstElementChild;
  let closed = ""; // what a player has seen enough of
  reload.addEventListener("click", () => location.reload());
  close.addEventListener("click", () => {
    closed = element.dataset.about;
    element.hidden = true;
  });
  return (text, { about = "", count = 0 } = {}) => {
    if (!text && about !== element.dataset.about) return; // it speaks of something else by now
    if (!text) closed = "";
    element.dataset.about = about;
    const line = element.querySelector(".banner__text");
    if (line.textContent !== text) line.textContent = text;
    element.querySelector(".banner__count").textContent = count || "";
    if (about) reload.remove();
    else element.append(reload);
    element.hidden = !text || (about !== "" && about === closed);
  };
}
