// Mouse, pen and finger: on the board they select cells, held on a key they lock it.

import { between } from "./grid.js";

const HOLD = 450; // ms

/** on: {choose(cell, {add}), extend(cells), twice(cell)} */
export function onBoard(board, on) {
  let last = null; // the last cell of the current drag
  const cellAt = ({ clientX, clientY }) => {
    const element = document.elementFromPoint(clientX, clientY)?.closest("#board [role=gridcell]");
    return element ? Number(element.id.slice(1)) : null;
  };
  board.addEventListener("mousedown", (event) => event.preventDefault()); // or the browser moves the focus itself
  board.addEventListener("pointerdown", (event) => {
    const cell = cellAt(event);
    if (cell === null || event.button > 0) return;
    last = cell;
    on.choose(cell, { add: event.ctrlKey || event.metaKey || event.shiftKey });
  });
  board.addEventListener("pointermove", (event) => {
    const cell = last === null || !event.buttons ? null : cellAt(event);
    if (cell === null || cell === last) return;
    on.extend(between(last, cell));
    last = cell;
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (last = null));
  board.addEventListener("dblclick", (event) => {
    const cell = cellAt(event);
    if (cell !== null && !(event.ctrlKey || event.metaKey || event.shiftKey)) on.twice(cell);
  });
}

/** Call held(button) once a key has been held down; the click that follows is swallowed. */
export function onKeypad(keypad, held) {
  let timer = null;
  let swallow = false;
  keypad.addEventListener("pointerdown", ({ target }) => {
    const button = target.closest("button[name=digit]");
    swallow = false;
    if (!button) return;
    timer = setTimeout(() => {
      swallow = true;
      held(button);
    }, HOLD);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    keypad.addEventListener(end, () => clearTimeout(timer));
  }
  keypad.addEventListener("click", (event) => {
    if (swallow) event.preventDefault();
    swallow = false;
  });
  keypad.addEventListener("contextmenu", (event) => event.preventDefault());
}
