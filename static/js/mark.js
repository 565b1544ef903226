// The marking board (templates/learn/_board.html): a reader crosses out candidates and places digits. Every mark is
// written into the form's one field in the server's notation: r4c7-3 crosses out, r4c7=3 places.

import { CELLS, DIGITS, columnOf, digitsIn, has, jump, onGridKeys, pager, painter, readPhrases, rowOf, speaker, spots, target } from "./main.js";

const MARK = /^r([1-9])c([1-9])(-|<>|=)([1-9]+)$/i;
const OTHER = { strike: "place", place: "strike" };
const PLAIN = new Uint16Array(10); // no colors

export function mark(root) {
  const $ = (selector) => root.querySelector(selector);
  spots(root);
  const form = $(".marking__do");
  const say = speaker($("[data-speech]"));
  if ($("#hint-panel")) pager(root, say)(); // a long proof beside a board to view
  if (!form) return;
  const board = $("#board");
  const field = form.elements.marks;
  const phrase = readPhrases($("[data-phrases]"));
  const draw = painter(board, phrase, { struck: true });
  const candidates = JSON.parse(board.dataset.candidates);
  const shown = CELLS.map((cell) => $(`#c${cell}`).dataset);
  const digits = shown.map(({ digit }, cell) => candidates[cell] ? 0 : Number(digit)); // without the marked ones
  const keys = [...root.querySelectorAll("[data-command=digit]")];
  const modes = [...root.querySelectorAll("[data-command=mode]")];
  const marks = { place: new Uint16Array(81), strike: new Uint16Array(81) }; // bit sets of digits
  let cursor = Math.max(0, candidates.findIndex(Boolean));
  let mode = $("[aria-pressed=true]").value; // what the exercise asks for
  let started = false; // nothing is selected before the reader's first input

  function read() {
    for (const kind of Object.values(marks)) kind.fill(0);
    for (const word of field.value.split(/[\s,;]+/)) {
      const [, row, column, sign, all] = MARK.exec(word) ?? [];
      if (!row) continue;
      const cell = 9 * (row - 1) + Number(column) - 1;
      const kind = sign === "=" ? "place" : "strike";
      for (const digit of all) if (has(candidates[cell], digit)) marks[kind][cell] |= 1 << digit;
    }
    redraw();
  }

  function write() {
    const line = (kind, sign) => CELLS.filter((cell) => marks[kind][cell])
      .map((cell) => `r${rowOf(cell) + 1}c${columnOf(cell) + 1}${sign}${digitsIn(marks[kind][cell]).join("")}`);
    field.value = [...line("place", "="), ...line("strike", "-")].join(" ");
    redraw();
  }

  function look(cell) {
    const [placed = 0] = digitsIn(marks.place[cell]);
    const [struck, digit] = [marks.strike[cell], digits[cell] || placed];
    return {
      digit, given: "given" in shown[cell], tints: PLAIN, // nothing else is drawn here
      open: digit ? 0 : candidates[cell] & ~struck, struck: digit ? 0 : struck,
    };
  }

  function redraw() {
    draw(CELLS.map(look), { chosen: new Set(started ? [cursor] : []), cursor, same: 0, lines: true });
    for (const [index, key] of keys.entries()) {
      key.ariaDisabled = !has(candidates[cursor], index + 1);
      key.ariaPressed = has(marks[mode][cursor], index + 1) > 0;
    }
    for (const button of modes) button.ariaPressed = button.value === mode;
  }

  function choose(cell) {
    [cursor, started] = [cell, true];
    redraw();
    $(`#c${cell}`).focus({ preventScroll: true });
  }

  /** Mark a digit of the selected cell, or remove its mark. */
  function toggle(kind, digit) {
    started = true;
    if (!has(candidates[cursor], digit)) return say(phrase(digits[cursor] ? "filled" : "absent", { digit }));
    const bit = 1 << digit;
    const on = !(marks[kind][cursor] & bit);
    marks[OTHER[kind]][cursor] = 0; // a cell is either placed, or loses candidates
    if (kind === "place") marks.place[cursor] = on ? bit : 0;
    else marks.strike[cursor] ^= bit;
    write();
    say(phrase(`${kind}-${on}`, { digit }));
  }

  function erase(cells) {
    for (const cell of cells) marks.place[cell] = marks.strike[cell] = 0;
    write();
    say(phrase("erased"));
  }

  const COMMANDS = {
    move: (where) => choose(target(cursor, where)),
    jump: (where) => choose(jump(cursor, where, digits)),
    digit: (digit) => toggle(mode, digit),
    corner: (digit) => toggle(OTHER[mode], digit), // Shift and a digit
    erase: () => erase([cursor]),
    clear() {
      $("#answer")?.replaceChildren();
      erase(CELLS);
    },
    mode(which) {
      mode = which in OTHER ? which : OTHER[mode]; // keys use "next" and "previous"
      redraw();
      say($("[aria-pressed=true]").textContent);
    },
    check: () => form.requestSubmit(),
  };

  onGridKeys(root, COMMANDS);
  board.addEventListener("mousedown", (event) => event.preventDefault()); // or the browser moves the focus itself
  board.addEventListener("click", (event) => {
    const cell = event.target.closest("[role=gridcell]");
    if (!cell) return;
    choose(Number(cell.id.slice(1)));
    // A mouse is precise enough for a candidate; a finger selects the cell, and the keys below are large enough for it.
    const digit = DIGITS.find((each) => event.target.closest(`.pencil--${each}`));
    if (digit && event.pointerType !== "touch") toggle(mode, digit);
  });
  root.addEventListener("click", ({ target: pressed }) => {
    const button = pressed.closest("[data-command]");
    if (button) COMMANDS[button.dataset.command](Number(button.value) || button.value);
  });
  field.addEventListener("change", read);
  read();
}
