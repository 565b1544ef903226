// Which command a key press means. Digits and the mode keys Z X C V go by where the key lies, everything with a name
// (undo, row, hint) by its letter, so that both hold on every layout. tests/data/keys.json is the table.

import { setting } from "./settings.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const MODE_KEYS = { KeyZ: "digit", KeyX: "corner", KeyC: "centre", KeyV: "colour" };
const LETTERS = { h: "hint", p: "pause", n: "notes", f: "fill", d: "lock", "[": "undo", "]": "redo" };
const WASD = { KeyW: "up", KeyA: "left", KeyS: "down", KeyD: "right" };
const QUERIES = { r: "row", k: "column", b: "box", l: "cell", t: "time" };

/** The digit 0..9 of a key of the upper row or the number pad, else null. */
function digitOf(event) {
  const [, pad, digit] = /^(Digit|Numpad)(\d)$/.exec(event.code ?? "") ?? [];
  if (!pad) return null;
  // With NumLock off the pad moves the cursor; its keys then carry the arrows' names.
  if (pad === "Numpad" && event.key.length > 1 && !event.getModifierState?.("NumLock")) return null;
  return Number(digit);
}

/** Whether a key is pressed alone, and not where somebody types. */
export const alone = ({ altKey, ctrlKey, metaKey, target }) =>
  !altKey && !ctrlKey && !metaKey && !target.matches("input:not([type=checkbox]), select, textarea");

/** The element below `root` that names the key of this event in data-key, where the key is pressed alone. */
export const keyed = (root, event) => (alone(event) ? root.querySelector(`[data-key="${CSS.escape(event.key)}" i]`) : null);

/**
 * Press the element below `root` that names a key in data-key, or else call keys[key], wherever the focus is, unless
 * somebody types, answers a dialog or has letters turned off.
 */
export function onKeys(root, keys = {}) {
  const press = (event) => {
    const { defaultPrevented, key } = event;
    if (!root.isConnected) return document.removeEventListener("keydown", press);
    if (defaultPrevented || document.querySelector("dialog[open]")) return;
    if (key.length === 1 && setting("letters") === "off") return;
    const door = keyed(root, event);
    const act = alone(event) && keys[key.toLowerCase()];
    if (!door && !act) return;
    event.preventDefault();
    if (door) door.click();
    else act();
  };
  document.addEventListener("keydown", press);
}

/** Make `elements[at]` the only one in the tab order: arrow keys lead on from there. */
export function rove(elements, at) {
  for (const [number, element] of elements.entries()) element.tabIndex = number === at ? 0 : -1;
}

/** Carry out the commands of keys pressed in the grid below `root`; commands: name -> function (value). */
export function onGridKeys(root, commands) {
  root.addEventListener("keydown", (event) => {
    const [name, value] = commandOf(event, { letters: false }) ?? [];
    if (!commands[name] || !event.target.closest("[role=grid]")) return;
    event.preventDefault();
    commands[name](value);
  });
}

/**
 * [command, value] for a keydown event, or null where it means nothing to the board.
 * letters: whether keys that type a letter or a sign alone are commands. wasd: whether those four move the cursor.
 */
export function commandOf(event, { letters = true, wasd = false } = {}) {
  const { code, key, altKey: alt, shiftKey: shift } = event;
  const control = event.ctrlKey || event.metaKey;
  const digit = digitOf(event);
  // Shift on the number pad of Windows turns NumLock round and never shows as Shift.
  const shifted = shift || (digit !== null && key.length > 1 && !control && !alt);
  if (digit !== null && alt && !control) return digit ? ["where", digit] : null;
  if (letters && (key === "[" || key === "]") && (!control || alt)) return [LETTERS[key], null];
  if (alt) return null;
  if (digit) return control ? [shifted ? "colour" : "centre", digit] : [shifted ? "corner" : "digit", digit];
  if (ARROWS[key]) return [shift ? (control ? "extend-jump" : "extend") : control ? "jump" : "move", ARROWS[key]];
  if (key === "Home" || key === "End") {
    const edge = control ? (key === "Home" ? "first" : "last") : key === "Home" ? "row-start" : "row-end";
    return [shift ? "extend" : "move", edge];
  }
  if (key === " ") return ["mode", control ? "previous" : "next"];
  if (control) {
    const letter = key.toLowerCase();
    if (letter === "z") return [shift ? "redo" : "undo", null];
    if (shift) return null;
    return { y: ["redo", null], a: ["select", "all"], i: ["select", "invert"] }[letter] ?? null;
  }
  if (digit === 0 || key === "Backspace" || key === "Delete") return ["erase", null];
  const named = {
    PageDown: ["mode", "next"], PageUp: ["mode", "previous"], Escape: ["select", "none"], Enter: ["check", null],
  }[key];
  if (named) return named;
  if (!letters) return null;
  if (wasd && WASD[code]) return [shift ? "extend" : "move", WASD[code]];
  if (MODE_KEYS[code] && !shift) return ["mode", MODE_KEYS[code]];
  if (key === "?") return ["help", null];
  const letter = key.toLowerCase();
  if (shift) return null;
  if (QUERIES[letter]) return ["say", QUERIES[letter]];
  return LETTERS[letter] ? [LETTERS[letter], null] : null;
}
