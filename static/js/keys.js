// Which command a key press means. Digits are matched by position, letters by what the key types if that is a Latin
// letter, else by position: Cyrillic, Greek, Hebrew and Arabic layouts, and input methods. tests/data/keys.json is the
// table.

import { setting } from "./settings.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const MODES = { z: "digit", x: "corner", c: "centre", v: "colour" };
const LETTERS = { h: "hint", p: "pause", n: "notes", f: "fill", d: "lock", "[": "undo", "]": "redo" };
const LEADING = /^(Arrow|Page|Home$|End$|Clear$|Insert$|Delete$)/; // the number pad's keys without NumLock
const QUERIES = { r: "row", k: "column", b: "box", l: "cell", t: "time" };

// The digits of the scripts on our players' keyboards: Latin, Arabic, Persian, Devanagari, full width.
const ZEROS = ["0", "\u0660", "\u06f0", "\u0966", "\uff10"].map((zero) => zero.charCodeAt(0));

/** Return the value 0..9 of a digit in any of these scripts, else null. */
export function digitIn(character) {
  const code = character.charCodeAt(0);
  const zero = ZEROS.find((each) => code >= each && code < each + 10);
  return character.length === 1 && zero !== undefined ? code - zero : null;
}

/** Return the digit 0..9 of a key of the upper row or the number pad, or of a key without position, else null. */
function digitOf(event) {
  // Virtual, remote and voice keyboards have no positions, only the typed text.
  if (!event.code || event.code === "Unidentified") return digitIn(event.key ?? "");
  const [, pad, digit] = /^(Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (!pad) return null;
  // With NumLock off the pad moves the cursor; its keys are then named like the arrows.
  if (pad === "Numpad" && LEADING.test(event.key) && !event.getModifierState?.("NumLock")) return null;
  return Number(digit);
}

const PLACES = { BracketLeft: "[", BracketRight: "]", Slash: "?" };

/** Return the character that a key means: lowercase, and from its place on a keyboard whose letters aren't Latin. */
export function meant({ code = "", key, shiftKey }) {
  if (key.length === 1 && key <= "~") return key.toLowerCase();
  if (key.length > 1 && key !== "Process" && key !== "Unidentified") return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1].toLowerCase() ?? PLACES[code];
  return !letter || (letter === "?" && !shiftKey) ? key : letter;
}

/** Whether a key is pressed without modifiers, and not in a text field. */
export const alone = ({ altKey, ctrlKey, metaKey, target }) =>
  !altKey && !ctrlKey && !metaKey && !target.matches("input:not([type=checkbox]), select, textarea");

/** Return the element below `root` with this event's key in data-key, if pressed without modifiers. */
export const keyed = (root, event) => (alone(event) ? root.querySelector(`[data-key="${CSS.escape(meant(event))}" i]`) : null);

/**
 * Press the element below `root` that names a key in data-key, or else call keys[key], wherever the focus is, unless
 * the target is a text field or a dialog, or letter shortcuts are off.
 */
export function onKeys(root, keys = {}) {
  const press = (event) => {
    const { defaultPrevented } = event;
    const key = meant(event);
    if (!root.isConnected) return document.removeEventListener("keydown", press);
    if (defaultPrevented || document.querySelector("dialog[open]")) return;
    if (key.length === 1 && setting("letters") === "off") return;
    const button = keyed(root, event);
    const act = alone(event) && keys[key];
    if (!button && !act) return;
    event.preventDefault();
    if (button) button.click();
    else act();
  };
  document.addEventListener("keydown", press);
}

/** Make `elements[at]` the only one in the tab order: arrow keys move from there. */
export function rove(elements, at) {
  for (const [number, element] of elements.entries()) element.tabIndex = number === at ? 0 : -1;
}

/** Run the commands of keys pressed in the grid below `root`; commands: name -> function (value). */
export function onGridKeys(root, commands) {
  root.addEventListener("keydown", (event) => {
    const [name, value] = commandOf(event, { letters: false }) ?? [];
    if (!commands[name] || !event.target.closest("[role=grid]")) return;
    event.preventDefault();
    commands[name](value);
  });
}

/**
 * Return [command, value] for a keydown event, or null if it isn't a command. letters: whether keys that type a letter
 * or a sign are commands.
 */
export function commandOf(event, { letters = true } = {}) {
  const { key, altKey: alt, shiftKey: shift } = event;
  const letter = meant(event);
  const control = event.ctrlKey || event.metaKey;
  const digit = digitOf(event);
  // Shift on Windows' number pad inverts NumLock and is never reported as Shift.
  const shifted = shift || (digit !== null && LEADING.test(key) && !control && !alt);
  if (digit !== null && alt && !control) return digit ? ["where", digit] : null;
  if (letters && (letter === "[" || letter === "]") && (!control || alt)) return [LETTERS[letter], null];
  if (alt) return null;
  if (digit) return control ? [shifted ? "colour" : "centre", digit] : [shifted ? "corner" : "digit", digit];
  if (ARROWS[key]) return [shift ? (control ? "extend-jump" : "extend") : control ? "jump" : "move", ARROWS[key]];
  if (key === "Home" || key === "End") {
    const edge = control ? (key === "Home" ? "first" : "last") : key === "Home" ? "row-start" : "row-end";
    return [shift ? "extend" : "move", edge];
  }
  if (key === " ") return ["mode", control ? "previous" : "next"];
  if (control) {
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
  if (letter === "?") return ["help", null];
  if (shift) return null;
  if (MODES[letter]) return ["mode", MODES[letter]];
  if (QUERIES[letter]) return ["say", QUERIES[letter]];
  return LETTERS[letter] ? [LETTERS[letter], null] : null;
}
