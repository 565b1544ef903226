// Turns keys, pointers and buttons into commands and selections of cells.

import { COMMANDS } from "./commands.js";
import { send } from "./help.js";
import { commandOf } from "./keys.js";
import { onBoard, onKeypad } from "./pointer.js";
import { choose, extend, toggleLock, touch, twice } from "./selection.js";
import { setting } from "./settings.js";
import { redraw } from "./state.js";

const OF_BOARD = ["move", "jump", "extend", "extend-jump", "select"];
const OF_PAGE = ["Enter", " ", "PageUp", "PageDown"];
const REPEATING = ["move", "jump", "extend", "extend-jump", "undo", "redo"];

/** Listen to all input on the board of `state`. */
export function listen(state) {
  const board = state.root.querySelector("#board");
  listenToKeys(state, board);
  onBoard(board, {
    choose: (cell, options) => touch(state, cell, options),
    extend: (cells) => extend(state, cells),
    twice: (cell) => twice(state, cell),
  });
  onKeypad(state.root.querySelector("#keypad"), (button) => toggleLock(state, Number(button.value)));
  listenToButtons(state, board);
  document.addEventListener("setting", ({ detail }) => {
    redraw(state);
    if (detail === "feedback-solution") state.say(state.phrase("checked"));
  });
}

/**
 * Keys go to the board from anywhere except a dialog or a focused control; the notes and the cover belong to the board.
 * Outside it, keys with a standard meaning keep it: they scroll, press the focused button, select text.
 */
function listenToKeys(state, board) {
  document.addEventListener("keydown", (event) => {
    const { key, repeat, target } = event;
    const there = board.contains(target);
    const elsewhere = !there && !target.closest(".note, .cover") && target.matches(":focus-visible");
    if (elsewhere || document.querySelector("dialog[open]")) return;
    const [name, value] = commandOf(event, { letters: setting("letters") !== "off" }) ?? [];
    const leads = !there && name === "move" && !/Home|End/.test(key);
    if (!name || (!there && !leads && (OF_BOARD.includes(name) || OF_PAGE.includes(key)))) return;
    event.preventDefault();
    if (repeat && !REPEATING.includes(name)) return;
    if (leads && !state.chosen.size) choose(state, [state.cursor]);
    // A digit key alone writes in the current mode; with a modifier it writes in another one.
    else COMMANDS[name === "digit" ? "press" : name](state, value);
  });
  board.addEventListener("focusin", ({ target: { id } }) => {
    const cell = Number(id.slice(1));
    if (cell !== state.cursor || !state.chosen.size) choose(state, [cell]);
  });
}

/** Each button is the button of a plain form, which works without JavaScript too. */
function listenToButtons(state, board) {
  state.root.addEventListener("submit", (event) => {
    const { target: form, submitter: button } = event;
    const { command } = form.dataset;
    if (!(command in COMMANDS)) return;
    event.preventDefault();
    if (command === "hint" || command === "check") return send(state, form, button);
    const value = button?.value;
    if (button?.ariaDisabled !== "true") COMMANDS[command](state, command === "key" ? Number(value) : value);
  });
  state.root.querySelector(".controls").addEventListener("mousedown", (event) => {
    // A key pressed with the mouse leaves the focus on the board or nowhere, so that keyboard input continues.
    const { activeElement, body } = document;
    if ((activeElement === body || board.contains(activeElement)) && event.target.closest("button")) event.preventDefault();
  });
}
