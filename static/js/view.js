// The renderer: draws the state into the board, the keypad and the buttons. The cells themselves are drawn by paint.js.

import { DIGITS, has } from "./fold.js";
import { painter } from "./paint.js";
import { setting } from "./settings.js";
import { held } from "./state.js";

const FLASH = 700; // ms

/** Return {draw(state), focus(cell), flash(cells), modeName()} for the board below `root`. */
export function renderer(root, phrase) {
  const $ = (selector) => root.querySelector(selector);
  const board = $("#board");
  const controls = $(".controls");
  const keys = [...controls.querySelectorAll(".key[name=digit]")];
  const paint = painter(board, phrase);

  function able(id, can) {
    // Never `disabled`: a focused button would lose the focus.
    const button = $(`#${id}`);
    if (button) button.ariaDisabled = !can;
  }

  function drawKey(digit, count, pressed) {
    const left = count > 9 ? `−${count - 9}` : String(9 - count);
    const counter = $(`[data-left="${digit}"]`);
    if (counter.textContent !== left) counter.textContent = left;
    counter.toggleAttribute("data-over", count > 9);
    const key = keys[digit - 1];
    key.toggleAttribute("data-done", count > 8);
    // A toggle only while it is one, or every key would be announced as "not pressed".
    key.ariaPressed = pressed || null;
  }

  function draw(state) {
    const { chosen, cursor, link, locked, mode, several, solved, seen } = state;
    const { board: { digits, fill }, past, future, paused } = link.game;
    const same = setting("same") === "off" ? 0 : locked.digit || (chosen.size ? digits[cursor] : 0);
    paint(seen, { chosen, cursor, same, lines: setting("lines") !== "off" });
    root.dataset.state = board.dataset.state = solved ? "solved" : paused ? "paused" : "playing";
    const pressed = controls.contains(document.activeElement);
    controls.inert = paused && !solved;
    $(".cover").hidden = !controls.inert;
    if (pressed && controls.inert) $("#resume").focus(); // or the focus would be lost
    for (const digit of DIGITS) drawKey(digit, digits.filter((other) => other === digit).length, digit === held(state));
    able("undo", past);
    able("redo", future);
    able("pause", !paused && !solved);
    able("hint", !link.cut);
    able("check", !link.cut);
    $("#why-off").textContent = link.cut ? phrase("helpless") : "";
    $("#fill").ariaPressed = locked.digit ? has(fill, locked.digit) === 1 : fill > 0;
    $("#several").ariaPressed = several;
    $("#fill-digit").textContent = locked.digit || "";
    controls.dataset.mode = mode;
    for (const button of controls.querySelectorAll(".modes button")) button.ariaPressed = button.value === mode;
  }

  function focus(cell) {
    const element = $(`#c${cell}`);
    if (document.activeElement !== element) element.focus({ preventScroll: true });
  }

  /** Highlight cells that have become complete for a moment. */
  function flash(cells) {
    for (const cell of cells) {
      const { dataset } = $(`#c${cell}`);
      dataset.done = "";
      setTimeout(() => delete dataset.done, FLASH);
    }
  }

  const modeName = () => $(".modes [aria-pressed=true]").textContent;

  return { draw, focus, flash, modeName };
}
