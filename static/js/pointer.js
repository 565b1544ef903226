// Mouse, pen and finger: on the board they select cells, held on a key they lock it.

import { between } from "./grid.js";

const HOLD = 450; // ms

/**
 * on: {choose(cell, {add, drag}), extend(cells), twice(cell)}. A finger acts when it is lifted, or once it drags: a
 * second one, a palm or the browser's own gesture takes back what it began.
 */
export function onBoard(board, on) {
  let last = null; // the last cell of the current drag
  let finger = null; // the cell under a finger that may still become another gesture
  const cellAt = ({ clientX, clientY }) => {
    const element = document.elementFromPoint(clientX, clientY)?.closest("#board [role=gridcell]");
    return element ? Number(element.id.slice(1)) : null;
  };
  const adding = ({ ctrlKey, metaKey, shiftKey }) => ctrlKey || metaKey || shiftKey;
  const forget = () => {
    last = finger = null;
  };
  board.addEventListener("mousedown", (event) => event.preventDefault()); // or the browser moves the focus itself
  // Anywhere: the first finger of a pinch may be on the board and the second beside it.
  document.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary) return forget();
    const cell = board.contains(event.target) ? cellAt(event) : null;
    if (cell === null || event.button > 0) return;
    last = cell;
    if (event.pointerType === "touch") finger = cell;
    else on.choose(cell, { add: adding(event) });
  });
  board.addEventListener("pointermove", (event) => {
    const cell = last === null || !event.buttons || !event.isPrimary ? null : cellAt(event);
    if (cell === null || cell === last) return;
    if (finger !== null) on.choose(finger, { add: adding(event), drag: true });
    finger = null;
    on.extend(between(last, cell));
    last = cell;
  });
  document.addEventListener("pointerup", (event) => {
    if (finger !== null && event.isPrimary && cellAt(event) === finger) on.choose(finger, { add: adding(event) });
    forget();
  });
  document.addEventListener("pointercancel", forget);
  board.addEventListener("dblclick", (event) => {
    const cell = cellAt(event);
    if (cell !== null && !adding(event)) on.twice(cell);
  });
}

/** Call held(button) once a key has been held down; the click that follows is swallowed. */
export function onKeypad(keypad, held) {
  let timer = null;
  let swallow = false;
  keypad.addEventListener("pointerdown", ({ isPrimary, target }) => {
    const button = target.closest("button[name=digit]");
    clearTimeout(timer); // a second finger takes back what the first began
    swallow = false;
    if (!button || !isPrimary) return;
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
