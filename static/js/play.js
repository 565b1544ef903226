// The board as a player handles it: which cells are chosen, what a key, a finger or a button does. The order of a move
// is: play, paint, store, send. The log's rules are in fold.js, the drawing in paint.js, the sending in sync.js.

import { CELLS, DIGITS, Refused, digitsIn, has, play as after } from "./fold.js";
import { commandOf } from "./keys.js";
import { looks, painter, thumb } from "./paint.js";
import { notes } from "./notes.js";
import { onBoard, onKeypad } from "./pointer.js";
import { complete, jump, missing, similar, target } from "./select.js";
import { setting } from "./settings.js";
import { cellName, content, readPhrases, speaker } from "./speech.js";
import { connect } from "./sync.js";
import { startClock } from "./time.js";

const MODES = ["digit", "corner", "centre", "colour"];
const REPEATING = ["move", "jump", "extend", "extend-jump", "undo", "redo"];

export function play(root) {
  const $ = (selector) => root.querySelector(selector);
  const board = $("#board");
  const controls = $(".controls");
  const keys = [...controls.querySelectorAll(".key[name=digit]")];
  const phrase = readPhrases($("#phrases"));
  const say = speaker($("#speech"));
  const draw = painter(board, phrase);
  const chosen = new Set();
  const wrong = new Set(); // "cell:digit" that the server has called wrong
  const locked = { digit: 0, colour: 0 }; // what every touched cell is given, until unlocked
  let mode = $(".modes [aria-pressed=true]").value;
  let doubted = ""; // the help that was asked for once in a ranked solve
  let several = false; // a tap adds to what is chosen
  let solved = board.dataset.state === "solved";
  let seen; // how the cells look

  // The links are for pages without JavaScript; without an address they are neither links nor tab stops.
  for (const link of board.querySelectorAll("a[href]")) link.removeAttribute("href");

  const link = connect(root, { phrase, on: { changed, offered, left, returned, reached: () => seen && paint() } });
  let cursor = Number(new URLSearchParams(location.search).get("cell") ?? "none");
  if (Number.isInteger(cursor) && cursor >= 0 && cursor <= 80) chosen.add(cursor);
  else cursor = Math.max(0, link.game.board.digits.indexOf(0));
  const help = notes(root, { link, phrase, say, on: { asked: choose, closed: () => extend([], cursor) } });
  const tick = startClock(() => board.dataset.state === "playing" && !link.game.solved);
  learn();
  paint();
  if (link.cut) link.reach(false);
  link.offer();

  // Drawing

  function paint() {
    const { board: { digits, fill }, past, future, paused } = link.game;
    const feedback = setting("feedback");
    seen = looks(link.game, { feedback: feedback !== "never", wrong: feedback === "solution" ? wrong : null });
    const same = setting("same") === "off" ? 0 : locked.digit || (chosen.size ? digits[cursor] : 0);
    draw(seen, { chosen, cursor, same, lines: setting("lines") !== "off" });
    board.dataset.state = solved ? "solved" : paused ? "paused" : "playing";
    for (const digit of DIGITS) {
      const open = String(Math.max(0, 9 - digits.filter((other) => other === digit).length));
      const count = $(`[data-left="${digit}"]`);
      if (count.textContent !== open) count.textContent = open;
      keys[digit - 1].toggleAttribute("data-done", open === "0");
      // A toggle only while it is one, or every key would be read out as "not pressed".
      if (digit === locked[held()]) keys[digit - 1].ariaPressed = "true";
      else keys[digit - 1].removeAttribute("aria-pressed");
    }
    able("undo", past);
    able("redo", future);
    able("pause", !paused && !solved);
    able("hint", !link.cut);
    able("check", !link.cut);
    $("#why-off").textContent = link.cut ? phrase("helpless") : "";
    press($("#fill"), locked.digit ? has(fill, locked.digit) : fill > 0);
    press($("#several"), several);
    $("#fill-digit").textContent = locked.digit || "";
    controls.dataset.mode = mode;
    for (const button of controls.querySelectorAll(".modes button")) press(button, button.value === mode);
  }

  /** What a lock holds in this mode. */
  function held() {
    return mode === "colour" ? "colour" : "digit";
  }

  function press(button, down) {
    const text = String(Boolean(down));
    if (button.getAttribute("aria-pressed") !== text) button.setAttribute("aria-pressed", text);
  }

  function able(id, can) {
    // Never `disabled`: a button that has the focus would drop it.
    $(`#${id}`)?.setAttribute("aria-disabled", String(!can));
  }

  /** Take note of the digits the server calls wrong; those of them that are new. */
  function learn() {
    const fresh = $("#wrong").dataset.pairs.split(",").filter((pair) => pair && !wrong.has(pair));
    for (const pair of fresh) wrong.add(pair);
    return fresh;
  }

  // Moves

  /** Play a move; false where the board does not take it or it changes nothing. */
  function perform(kind, cells = [], digit = "") {
    const { game, outbox } = link;
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
    if (next.board !== game.board) help.close(); // it spoke of the board as it was
    link.game = next;
    if (doubted) link.tell((doubted = ""));
    paint();
    link.add(move, next);
    return true;
  }

  function selection() {
    return [...chosen].sort((a, b) => a - b);
  }

  function enter(kind, digit) {
    if (!chosen.size) return say(phrase("choose"));
    const cells = kind === "colour" ? selection() : selection().filter((cell) => !seen[cell].given);
    if (!cells.length) return say(phrase("unmovable"));
    const before = complete(link.game.board.digits).join("|");
    const checked = kind === "digit" && setting("feedback") === "solution" && !("ranked" in root.dataset);
    if (checked && !link.game.assisted) perform("check"); // the log says that there was help
    if (!perform(...meant(kind, cells, digit))) return;
    if (checked) link.outbox.flush();
    tell(cells, kind === "digit" ? complete(link.game.board.digits).filter((part) => !before.includes(part)) : []);
  }

  /** Let cells that have become complete be seen for a moment. */
  function show(cells) {
    for (const cell of cells) {
      const { dataset } = $(`#c${cell}`);
      dataset.done = "";
      setTimeout(() => delete dataset.done, 700);
    }
  }

  /** Where marks can mean two things: the locked digit's candidate is coloured, a computed candidate is struck. */
  function meant(kind, cells, digit) {
    const marked = (of, marks) => cells.filter((cell) => marks.some((mark) => has(seen[cell][mark], of)));
    if (kind === "colour" && locked.digit) {
      const candidates = marked(locked.digit, ["corner", "open"]).map((cell) => `${cell}:${locked.digit}`);
      if (candidates.length) return [kind, candidates, digit];
    }
    if (kind === "corner" && has(link.game.board.fill, digit)) {
      const computed = marked(digit, ["open", "struck"]);
      if (computed.length) return ["strike", computed, digit];
    }
    return [kind, cells, digit];
  }

  function erase() {
    if (!chosen.size) return say(phrase("choose"));
    const own = selection().filter((cell) => !seen[cell].given);
    // The value first, then the marks of the mode, then whatever marks there are.
    const filled = own.some((cell) => seen[cell].digit);
    const marked = !filled && own.some((cell) => link.game.board[mode]?.[cell]);
    const [kind, cells] = mode === "colour" ? ["colour", selection()] : [marked ? mode : "erase", own];
    if (!cells.length) say(phrase("unmovable"));
    else if (perform(kind, cells)) say(phrase("erased"));
  }

  function tell(cells, done) {
    const words = [content(seen[cells[0]], phrase)];
    if (cells.length > 1) words[0] = phrase("cells", { content: words[0], count: cells.length });
    if (setting("done") !== "off" && setting("feedback") !== "never") {
      for (const [what, number, all] of done) {
        words.push(phrase("complete", { house: phrase(what, { number }) }));
        show(all);
      }
    }
    say(words.join(". "));
  }

  // Choosing and locking

  function choose(cells, at = cells.at(-1) ?? cursor) {
    chosen.clear();
    extend(cells, at);
    if (chosen.size > 1) say(phrase("chosen", { count: chosen.size }));
  }

  function extend(cells, at = cells.at(-1)) {
    for (const cell of cells) chosen.add(cell);
    cursor = at;
    paint();
    const element = $(`#c${cursor}`);
    if (document.activeElement !== element) element.focus({ preventScroll: true });
  }

  function touch(cell, { add }) {
    const lock = locked[held()];
    if (add || several) {
      if (chosen.has(cell) && chosen.size > 1) {
        chosen.delete(cell);
        extend([], [...chosen].at(-1));
      } else {
        extend([cell]);
      }
    } else {
      choose([cell]);
      if (!lock || link.game.paused) return;
      if (mode !== "colour" && seen[cell].digit) lockOn(seen[cell].digit);
      else enter(mode, lock);
    }
  }

  /** Twice on a cell: place its only candidate, else choose all that look like it. */
  function twice(cell) {
    const { digit, corner, open } = seen[cell];
    const [only, ...others] = digitsIn(open || corner);
    if (!digit && only && !others.length) enter("digit", only);
    else choose(similar(cell, link.game.board), cell);
  }

  function lockOn(value) {
    locked[held()] = value;
    paint();
    say(value ? phrase("locked", { digit: value }) : phrase("unlocked"));
  }

  function toggleLock(value) {
    lockOn(locked[held()] === value ? 0 : value);
  }

  // Commands, by key or by button

  const COMMANDS = {
    move: (where) => choose([target(cursor, where)]),
    jump: (where) => choose([jump(cursor, where, link.game.board.digits)]),
    extend: (where) => extend([cursor, target(cursor, where)]),
    "extend-jump": (where) => extend([cursor, jump(cursor, where, link.game.board.digits)]),
    select(what) {
      if (what === "all") choose(CELLS, cursor);
      else if (what === "invert") choose(CELLS.filter((cell) => !chosen.has(cell)), cursor);
      else if (locked[held()]) lockOn(0);
      else choose(chosen.size > 1 ? [cursor] : [], cursor);
    },
    several() {
      several = !several;
      paint();
    },
    digit: (digit) => enter("digit", digit),
    corner: (digit) => enter("corner", digit),
    centre: (digit) => enter("centre", digit),
    colour: (digit) => enter("colour", digit),
    press: (digit) => enter(mode, digit),
    key: (digit) => (setting("first") === "digit" || locked[held()] ? toggleLock(digit) : enter(mode, digit)),
    lock: () => toggleLock(seen[cursor].digit || locked.digit),
    mode(which) {
      const step = { next: 1, previous: 3 }[which];
      mode = step ? MODES[(MODES.indexOf(mode) + step) % 4] : which;
      paint();
      say(phrase("mode", { mode: $(".modes [aria-pressed=true]").textContent }));
    },
    notes: () => COMMANDS.mode(mode === "digit" ? "corner" : "digit"),
    erase,
    undo: () => say(phrase(perform("undo") ? "undone" : "nothing")),
    redo: () => say(phrase(perform("redo") ? "redone" : "nothing")),
    fill() {
      if (sure("fill") && perform("fill", [], locked.digit || "")) say(phrase(link.game.board.fill ? "filled" : "unfilled"));
    },
    pause() {
      if (link.game.paused) return COMMANDS.resume();
      if (!("pausable" in root.dataset)) return say(phrase("unpausable"));
      if (!perform("pause")) return;
      say(phrase("paused"));
      $("#resume").focus();
    },
    resume() {
      if (!perform("resume")) return;
      link.outbox.flush();
      extend([], cursor);
      say(phrase("resumed"));
    },
    async share() {
      const field = $("#share-text");
      try {
        if (navigator.share) return await navigator.share({ text: field.value });
        await navigator.clipboard.writeText(field.value);
        $("#share").textContent = phrase("copied");
        say(phrase("copied"));
      } catch {
        field.select(); // to be copied by hand
      }
    },
    help: () => document.getElementById("help").showModal(),
    hint: () => ask("hint"),
    check: () => ask("check"),
    say(what) {
      if (what === "time") say(setting("timer") === "off" && !("ranked" in root.dataset) ? phrase("untimed") : `${phrase("time")} ${tick()}`);
      else if (what === "cell") say(cellName(cursor, seen[cursor], phrase, { struck: true }));
      else {
        const { number, digits } = missing(what, cursor, link.game.board.digits);
        const house = phrase(what, { number });
        say(digits.length ? phrase("lacks", { house, digits: digits.join(" ") }) : phrase("complete", { house }));
      }
    },
    where(digit) {
      const cells = CELLS.filter((cell) => seen[cell].digit === digit);
      const named = cells.map((cell) => phrase("at", { row: Math.floor(cell / 9) + 1, column: (cell % 9) + 1 }));
      say(phrase("where", { digit, count: cells.length, left: 9 - cells.length, cells: named.join(", ") }));
    },
  };

  /** Press the button for more in the open note, else the tool. */
  function ask(what) {
    const forms = [...root.querySelectorAll(`form[data-command=${what}]`)];
    const form = forms.find((each) => help.open()?.contains(each)) ?? forms.at(0);
    form?.requestSubmit(form.querySelector("button"));
  }

  /** Help ends a ranked solve: it is given when it is asked for a second time. */
  function sure(what) {
    const yes = doubted === what || !("ranked" in root.dataset);
    doubted = yes ? "" : what;
    link.tell(yes ? "" : phrase("unranks"));
    if (yes) delete root.dataset.ranked;
    return yes;
  }

  // Keys

  board.addEventListener("keydown", (event) => {
    const [name, value] = commandOf(event, { letters: setting("letters") !== "off", wasd: setting("wasd") === "on" }) ?? [];
    if (!name) return;
    event.preventDefault();
    // A digit key alone writes in the current mode; with a modifier it names a mode of its own.
    if (!event.repeat || REPEATING.includes(name)) COMMANDS[name === "digit" ? "press" : name](value);
  });
  document.addEventListener("keydown", (event) => {
    // With the focus nowhere, or on a note, the arrows lead to the board; from a note digits are written there.
    const noted = help.open()?.contains(document.activeElement);
    if ((!noted && document.activeElement !== document.body) || event.altKey || event.ctrlKey || event.metaKey) return;
    const [name, value] = commandOf(event, { letters: setting("letters") !== "off" }) ?? [];
    if (name === "hint" && help.open()) return ask("hint");
    if (name === "digit" && noted) return enter(mode, value);
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    choose([cursor]);
  });
  board.addEventListener("focusin", ({ target: { id } }) => {
    const cell = Number(id.slice(1));
    if (cell !== cursor || !chosen.size) choose([cell]);
  });

  // Pointers

  onBoard(board, { choose: touch, extend, twice });
  onKeypad($("#keypad"), (button) => toggleLock(Number(button.value)));

  // Buttons: each is the button of a plain form

  root.addEventListener("submit", (event) => {
    const { command } = event.target.dataset;
    if (!(command in COMMANDS)) return;
    event.preventDefault();
    if (command === "hint" || command === "check") {
      if (!link.cut) return sure(command) && help.ask(event.target, event.submitter);
      link.reach(false, "helpless");
      return say(phrase("helpless"));
    }
    const value = event.submitter?.value;
    if (event.submitter?.ariaDisabled !== "true") COMMANDS[command](command === "key" ? Number(value) : value);
  });
  controls.addEventListener("mousedown", (event) => {
    // A key pressed with the mouse leaves the focus on the board, where the keyboard goes on.
    if (board.contains(document.activeElement) && event.target.closest("button")) event.preventDefault();
  });
  document.addEventListener("setting", ({ detail }) => {
    paint();
    if (detail === "feedback-solution") say(phrase("checked"));
  });

  // What the connection brings

  function changed() {
    const was = solved;
    solved = $("#status").dataset.state === "solved";
    const told = learn();
    paint();
    if (told.length) say(told.map((pair) => cellName(parseInt(pair, 10), seen[parseInt(pair, 10)], phrase)).join(". "));
    tick();
    if (!solved || was) return;
    board.dataset.fresh = ""; // solved before your eyes, not found solved
    say(`${phrase("solved")}, ${tick()}`);
    const heading = $("#finish-title");
    if (!board.contains(document.activeElement)) return heading.focus(); // its key has gone
    // Whoever is still under way on the board stays there.
    const later = setTimeout(() => heading.focus(), 600);
    board.addEventListener("keydown", () => clearTimeout(later), { once: true });
  }

  function offered(ours) {
    const sheet = $("#clash");
    const [one, two] = [looks(link.game), looks(ours)];
    for (const [name, shown, other] of [["theirs", one, two], ["ours", two, one]]) {
      sheet.querySelector(`[data-board=${name}]`).replaceChildren(thumb(sheet.querySelector("template"), shown, other));
    }
    sheet.addEventListener("close", () => {
      if (!sheet.returnValue) return; // put off by Escape: the moves stay here and are offered again at the next visit
      const moves = link.release();
      if (sheet.returnValue === "ours") for (const [, kind, cell, digit] of moves) perform(kind, cell ? cell.split(",") : [], digit);
      extend([], cursor);
    }, { once: true });
    sheet.returnValue = "";
    if (!sheet.open) sheet.showModal();
  }

  /** Leaving the page stops the clock; true when it did. */
  function left() {
    const { game } = link;
    return "pausable" in root.dataset && setting("away") !== "on" && !solved && !game.paused && !game.solved && perform("pause");
  }

  function returned() {
    if (perform("resume")) link.outbox.flush();
  }
}
