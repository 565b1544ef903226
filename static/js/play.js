// The board as a player handles it: which cells are chosen, what a key, a finger or a button does, and the order of a
// move: paint, store, send. The rules of the log are in fold.js, the drawing in paint.js, the sending in outbox.js.

import { CELLS, DIGITS, Refused, fold, has, play as after } from "./fold.js";
import { commandOf } from "./keys.js";
import { Outbox } from "./outbox.js";
import { looks, painter } from "./paint.js";
import { between, jump, similar, target } from "./select.js";
import { chosen as setting } from "./settings.js";
import { content, readPhrases, speaker } from "./speech.js";
import { startClock } from "./clock.js";

const MODES = ["digit", "corner", "centre", "colour"];

export function play(root) {
  const $ = (selector) => root.querySelector(selector);
  const board = $("#board");
  const controls = $(".controls");
  const phrase = readPhrases($("#phrases"));
  const say = speaker($("#speech"));
  const draw = painter(board, phrase);
  const { givens } = board.dataset;
  const written = JSON.parse(board.dataset.log);
  const token = $("input[name=csrf_token]").value;

  const outbox = new Outbox({
    attempt: root.dataset.attempt, url: root.dataset.moves, token, moves: written,
    on: { taken, refused, waiting },
  });
  let game;
  try {
    game = fold(givens, outbox.moves);
  } catch {
    outbox.adopt(written, { aside: true }); // what this browser kept does not fit the board: offer it, do not play it
    game = fold(givens, outbox.moves);
  }
  let mode = root.querySelector(".modes [aria-pressed=true]")?.value ?? "digit";
  let solved = board.dataset.state === "solved";
  let stumbles = 0; // refusals in a row
  let seen;
  let cursor = Number(new URLSearchParams(location.search).get("cell") ?? "none");
  const chosen = new Set();
  if (Number.isInteger(cursor) && cursor >= 0 && cursor <= 80) chosen.add(cursor);
  else cursor = Math.max(0, game.board.digits.indexOf(0));

  // The links are for pages without JavaScript; without an address they are neither links nor tab stops.
  for (const link of board.querySelectorAll("a[href]")) link.removeAttribute("href");
  const clock = startClock(() => board.dataset.state === "playing" && !game.solved);
  paint();
  outbox.tidy();
  if (outbox.overtaken.length) offer();

  // Drawing

  function paint() {
    const { board: { digits, fill }, past, future, paused } = game;
    seen = looks(game, { feedback: setting("feedback") !== "never" });
    draw(seen, { chosen, cursor, same: chosen.size ? digits[cursor] : 0 });
    board.dataset.state = solved ? "solved" : paused ? "paused" : "playing";
    for (const digit of DIGITS) {
      const left = Math.max(0, 9 - digits.filter((other) => other === digit).length);
      const count = $(`[data-left="${digit}"]`);
      if (count.textContent !== String(left)) count.textContent = left;
      $(`.key[value="${digit}"]`).toggleAttribute("data-done", left === 0);
    }
    able("undo", past);
    able("redo", future);
    able("pause", !paused && !solved);
    $("#fill").setAttribute("aria-pressed", String(fill > 0));
  }

  function able(id, can) {
    // Never `disabled`: a button that has the focus would drop it.
    const button = document.getElementById(id);
    if (can) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
  }

  function show(nextMode) {
    mode = nextMode;
    controls.dataset.mode = mode;
    for (const button of controls.querySelectorAll(".modes button")) {
      button.setAttribute("aria-pressed", String(button.value === mode));
    }
  }

  // Moves

  /** Play, paint, store; the outbox sends. False where the board does not take the move or it changes nothing. */
  function perform(kind, cells = [], digit = "") {
    const move = [outbox.next, kind, cells.join(","), digit];
    let next;
    try {
      next = after(game, move);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(phrase(game.solved ? "solved" : game.paused ? "paused" : "unmovable"));
      return false;
    }
    if (next.board === game.board && next.paused === game.paused && next.assisted === game.assisted) return false;
    game = next;
    paint();
    outbox.add(move);
    if (game.solved) outbox.flush();
    return true;
  }

  function enter(kind, digit) {
    if (!chosen.size) return say(phrase("choose"));
    const cells = [...chosen].sort((a, b) => a - b);
    const open = kind === "colour" ? cells : cells.filter((cell) => !seen[cell].given);
    if (!open.length) return say(phrase("unmovable"));
    if (perform(...move(kind, open, digit))) tell(open);
  }

  /** With the layer of a digit on, its corner key strikes the candidate instead of noting it a second time. */
  function move(kind, cells, digit) {
    if (kind === "corner" && has(game.board.fill, digit)) {
      const computed = cells.filter((cell) => has(seen[cell].open | seen[cell].struck, digit));
      if (computed.length) return ["strike", computed, digit];
    }
    return [kind, cells, digit];
  }

  function erase() {
    const cells = [...chosen].sort((a, b) => a - b);
    if (!cells.length) return say(phrase("choose"));
    const own = cells.filter((cell) => !seen[cell].given);
    if (mode === "colour") return perform("colour", cells) && tell(cells);
    if (!own.length) return say(phrase("unmovable"));
    // The value first, then the marks of the mode, then whatever marks there are.
    const marked = (layer) => own.some((cell) => !seen[cell].digit && game.board[layer][cell]);
    const filled = own.some((cell) => seen[cell].digit);
    const kind = !filled && (mode === "corner" || mode === "centre") && marked(mode) ? mode : "erase";
    if (perform(kind, own)) say(phrase("erased"));
  }

  function tell(cells) {
    const words = content(seen[cells[0]], phrase);
    say(cells.length === 1 ? words : phrase("cells", { content: words, count: cells.length }));
  }

  // Choosing

  function choose(cells, at = cells.at(-1) ?? cursor, { focus = true } = {}) {
    chosen.clear();
    for (const cell of cells) chosen.add(cell);
    go(at, { focus });
  }

  function go(at, { focus = true } = {}) {
    cursor = at;
    paint();
    const element = document.getElementById(`c${cursor}`);
    if (focus && document.activeElement !== element) element.focus({ preventScroll: true });
  }

  // Commands, by key or by button

  const COMMANDS = {
    move: (where) => choose([target(cursor, where)]),
    jump: (where) => choose([jump(cursor, where, game.board.digits)]),
    extend: (where) => extend(target(cursor, where)),
    "extend-jump": (where) => extend(jump(cursor, where, game.board.digits)),
    select(what) {
      if (what === "all") choose(CELLS, cursor);
      else if (what === "invert") choose(CELLS.filter((cell) => !chosen.has(cell)), cursor);
      else choose(chosen.size > 1 ? [cursor] : [], cursor);
    },
    digit: (digit) => enter("digit", digit),
    corner: (digit) => enter("corner", digit),
    centre: (digit) => enter("centre", digit),
    colour: (digit) => enter("colour", digit),
    press: (digit) => enter(mode, digit),
    mode(which) {
      const step = { next: 1, previous: 3 }[which];
      show(step ? MODES[(MODES.indexOf(mode) + step) % 4] : which);
      say(phrase("mode", { mode: controls.querySelector(".modes [aria-pressed=true]").textContent }));
    },
    notes: () => COMMANDS.mode(mode === "digit" ? "corner" : "digit"),
    erase,
    undo: () => say(phrase(perform("undo") ? "undone" : "nothing")),
    redo: () => say(phrase(perform("redo") ? "redone" : "nothing")),
    fill() {
      if (perform("fill")) say(phrase(game.board.fill ? "filled" : "unfilled"));
    },
    pause() {
      if (game.paused) return COMMANDS.resume();
      if (!perform("pause")) return;
      outbox.flush();
      say(phrase("paused"));
      $("#resume").focus();
    },
    resume() {
      if (!perform("resume")) return;
      outbox.flush();
      go(cursor);
      say(phrase("resumed"));
    },
  };

  function extend(to) {
    chosen.add(cursor).add(to);
    go(to);
  }

  function run([command, value]) {
    const act = COMMANDS[command];
    act?.(value);
    return Boolean(act);
  }

  // Keys

  board.addEventListener("keydown", (event) => {
    const command = commandOf(event, { letters: setting("letters") !== "off" });
    if (!command) return;
    // A key in the current mode; a modifier names a mode of its own.
    const [name, value] = command[0] === "digit" ? ["press", command[1]] : command;
    const repeats = ["move", "jump", "extend", "extend-jump", "undo", "redo"].includes(name);
    if ((event.repeat && !repeats) || run([name, value])) event.preventDefault();
  });

  document.addEventListener("keydown", (event) => {
    // With the focus nowhere the arrows lead to the board.
    if (document.activeElement !== document.body || !event.key.startsWith("Arrow") || event.altKey) return;
    event.preventDefault();
    choose([cursor]);
  });

  board.addEventListener("focusin", ({ target: { id } }) => {
    const cell = Number(id.slice(1));
    if (/^c\d+$/.test(id) && cell !== cursor) choose([cell]);
    else if (!chosen.size) choose([cursor]);
  });

  // Pointers

  const cellAt = (event) => {
    const element = document.elementFromPoint(event.clientX, event.clientY)?.closest("[role=gridcell]");
    return element ? Number(element.id.slice(1)) : null;
  };
  let dragging = null;

  board.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event);
    if (cell === null || event.button > 0) return;
    event.preventDefault();
    const several = event.ctrlKey || event.metaKey;
    if (several && chosen.has(cell) && chosen.size > 1) {
      chosen.delete(cell);
      go([...chosen].at(-1));
    } else if (several || event.shiftKey) {
      chosen.add(cell);
      go(cell);
    } else {
      choose([cell]);
    }
    dragging = cell;
  });
  board.addEventListener("mousedown", (event) => event.preventDefault()); // or the browser moves the focus itself
  board.addEventListener("pointermove", (event) => {
    if (dragging === null || !event.buttons) return;
    const cell = cellAt(event);
    if (cell === null || cell === dragging) return;
    for (const passed of between(dragging, cell)) chosen.add(passed);
    dragging = cell;
    go(cell);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (dragging = null));
  board.addEventListener("dblclick", (event) => {
    const cell = cellAt(event);
    if (cell !== null) choose(similar(cell, game.board), cell);
  });

  // Buttons: every one is the button of a plain form

  root.addEventListener("submit", (event) => {
    const { command } = event.target.dataset;
    if (!command) return;
    event.preventDefault();
    const value = event.submitter?.value ?? "";
    if (event.submitter?.ariaDisabled === "true") return;
    run(command === "digit" ? ["press", Number(value)] : [command, value]);
  });
  controls.addEventListener("mousedown", (event) => {
    // A key pressed with the mouse leaves the focus on the board, where the keyboard goes on.
    if (board.contains(document.activeElement) && event.target.closest("button")) event.preventDefault();
  });

  // The server's answers

  function taken(text, all) {
    stumbles = 0;
    board.dataset.seq = outbox.acked;
    if (all) swap(text);
  }

  /** Hand the partials around the board to htmx, unless newer moves have been played meanwhile. */
  async function swap(text) {
    const focused = document.activeElement;
    await globalThis.htmx?.swap({ text, sourceElement: document.body, target: document.body, swap: "none" });
    settle(focused === document.body || root.contains(focused));
  }

  function settle(mayFocus) {
    const was = solved;
    solved = $("#status").dataset.state === "solved";
    paint();
    clock.tick();
    if (!solved || was) return;
    say(`${phrase("solved")}, ${clock.text()}`);
    if (mayFocus) $("#finish-title")?.focus();
  }

  function waiting(count) {
    if (count) banner(phrase(game.solved ? "unconfirmed" : "offline"));
    else if ($("#banner").dataset.about === "offline") banner("");
    if (count) $("#banner").dataset.about = "offline";
  }

  async function refused(status) {
    stumbles++;
    if (stumbles > 2 || ![409, 422].includes(status)) return expired();
    try {
      const answer = await fetch(location.pathname, { headers: { Accept: "text/html" }, redirect: "error" });
      if (!answer.ok) return expired();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      outbox.adopt(JSON.parse(page.getElementById("board").dataset.log), { aside: status === 422 });
      game = fold(givens, outbox.moves);
      board.dataset.seq = outbox.acked;
      for (const id of ["status", "counts", "finish-panel"]) {
        document.getElementById(id).replaceWith(document.importNode(page.getElementById(id), true));
      }
      settle(true);
      if (outbox.overtaken.length) offer();
    } catch {
      expired();
    }
  }

  function offer() {
    banner(phrase("elsewhere"), {
      again() {
        for (const [, kind, cell, digit] of outbox.release()) perform(kind, cell === "" ? [] : cell.split(","), digit);
      },
      dismiss: () => outbox.release(),
    });
  }

  const expired = () => banner(phrase("expired"), { reload: () => location.reload() });

  function banner(text, actions = {}) {
    const element = $("#banner");
    const focused = element.contains(document.activeElement);
    delete element.dataset.about;
    element.querySelector(".banner__text").textContent = text;
    for (const button of element.querySelectorAll("button")) button.remove();
    for (const [key, act] of Object.entries(actions)) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button";
      button.textContent = phrase(key);
      button.addEventListener("click", () => {
        banner("");
        act();
      });
      element.append(button);
    }
    element.hidden = !text;
    if (focused && !text) go(cursor);
  }

  // Coming and going

  for (const [source, event] of [[document, "visibilitychange"], [globalThis, "pagehide"]]) {
    source.addEventListener(event, () => outbox.flush({ last: document.hidden || event === "pagehide" }));
  }
  globalThis.addEventListener("online", () => outbox.flush());
  globalThis.addEventListener("storage", ({ key }) => {
    if (key !== outbox.key || !outbox.follow()) return;
    game = fold(givens, outbox.moves);
    paint();
  });
  document.addEventListener("setting", paint);
}
