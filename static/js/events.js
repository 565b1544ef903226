// Turns keys, pointers and buttons into commands and choices of cells.

import { COMMANDS } from "./commands.js";
import { ask, send } from "./help.js";
import { commandOf } from "./keys.js";
import { enter } from "./moves.js";
import { onBoard, onKeypad } from "./pointer.js";
import { choose, extend, toggleLock, touch, twice } from "./selection.js";
import { setting } from "./settings.js";
import { redraw } from "./state.js";

const REPEATING = ["move", "jump", "extend", "extend-jump", "undo", "redo"];

/** Listen to everything the player does with the board of `state`. */
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

function listenToKeys(state, board) {
  board.addEventListener("keydown", (event) => {
    const [name, value] = commandOf(event, { letters: setting("letters") !== "off", wasd: setting("wasd") === "on" }) ?? [];
    if (!name) return;
    event.preventDefault();
    // A digit key alone writes in the current mode; with a modifier it names a mode of its own.
    if (!event.repeat || REPEATING.includes(name)) COMMANDS[name === "digit" ? "press" : name](state, value);
  });
  document.addEventListener("keydown", (event) => {
    const { help, mode } = state;
    // With the focus nowhere, or on a note, the arrows lead to the board; from a note digits are written there.
    const noted = help.open()?.contains(document.activeElement);
    if ((!noted && document.activeElement !== document.body) || event.altKey || event.ctrlKey || event.metaKey) return;
    const [name, value] = commandOf(event, { letters: setting("letters") !== "off" }) ?? [];
    if (name === "hint" && help.open()) return ask(state, "hint");
    if (name === "digit" && noted) return enter(state, mode, value);
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    choose(state, [state.cursor]);
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
    // A key pressed with the mouse leaves the focus on the board, where the keyboard goes on.
    if (board.contains(document.activeElement) && event.target.closest("button")) event.preventDefault();
  });
}
