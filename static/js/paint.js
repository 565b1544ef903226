// Draws a game into the board's 81 cells. Changes only what differs from the last drawing;
// templates/web/macros/cells.html renders the same for the first load.

import { CELLS, DIGITS, PEERS, candidates, conflicts, digitsIn, has } from "./fold.js";
import { cellName } from "./speech.js";

/**
 * Return each cell's look: digits and marks, without conflicts if there is no feedback; wrong: digits known to be
 * wrong, "cell:digit".
 */
export function looks(game, { feedback = true, wrong = new Set() } = {}) {
  const { board, given } = game;
  const clashes = conflicts(board.digits);
  const open = candidates(game, clashes);
  const tinted = board.tints.some(Boolean);
  return CELLS.map((cell) => ({
    digit: board.digits[cell],
    given: given[cell] === 1,
    conflict: feedback && clashes[cell] === 1,
    wrong: wrong.has(`${cell}:${board.digits[cell]}`),
    corner: board.corner[cell],
    centre: board.centre[cell],
    colours: board.colours[cell],
    ...open[cell],
    tints: tinted ? board.tints.subarray(10 * cell, 10 * cell + 10) : [],
  }));
}

/** Create an element with these children. */
export const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
};

const tints = (mask, place = "") =>
  make("span", `tints${place}`, ...digitsIn(mask).map((colour) => make("i", `tint tint--${colour}`)));

/** Return the corner for the shapes of a cell's colors: bottom right, or another one if there is a mark. */
function corner({ digit, corner: marks, open, struck }) {
  const taken = digit ? 0 : marks | open | struck;
  if (!has(taken, 9)) return "";
  if (!has(taken, 7)) return " tints--left";
  return has(taken, 3) ? " tints--up tints--left" : " tints--up";
}

function light(element, lit) {
  element.toggleAttribute("data-same", lit);
  return element;
}

const pencilled = ({ corner: marks, open, struck }) => marks | open | struck;
const kindOf = (look, digit) => (has(look.struck, digit) ? "struck" : has(look.corner, digit) ? "corner" : "open");
const plain = ({ digit, centre, colours, tints: tinted }) => !digit && !centre && !colours && !tinted.some(Boolean);

function pencil(look, digit, same) {
  const element = make("span", `pencil pencil--${digit}`, ...(look.tints[digit] ? [tints(look.tints[digit])] : []), digit);
  element.dataset.kind = kindOf(look, digit);
  return light(element, digit === same);
}

function ink(look, same) {
  const parts = look.colours ? [tints(look.colours, corner(look))] : [];
  if (look.digit) return [...parts, make("span", "cell__digit", look.digit)];
  const shown = pencilled(look);
  if (shown || look.tints.some(Boolean)) {
    const marks = DIGITS.filter((digit) => has(shown, digit)).map((digit) => pencil(look, digit, same));
    parts.push(make("span", `cell__marks${look.centre ? " cell__marks--both" : ""}`, ...marks));
  }
  if (look.centre) {
    const digits = digitsIn(look.centre);
    const centre = make("span", "cell__centre", ...digits.map((digit) => light(make("span", "", digit), digit === same)));
    if (digits.length > 4) centre.dataset[digits.length > 6 ? "full" : "many"] = "";
    parts.push(centre);
  }
  return parts;
}

/** Draw only the marks that differ: with auto candidates on, a digit takes one from each of twenty cells. */
function redrawMarks(element, look, was, same) {
  for (const digit of DIGITS) {
    const [before, now] = [was, look].map((each) => (has(pencilled(each), digit) ? kindOf(each, digit) : ""));
    if (before === now) continue;
    const old = element.querySelector(`.pencil--${digit}`);
    if (!now) old.remove();
    else if (before) old.dataset.kind = now;
    else element.insertBefore(pencil(look, digit, same), [...element.children].find((each) => Number(each.textContent) > digit) ?? null);
  }
}

/** Light up the marks of another digit. */
function relight(element, digits) {
  for (const [digit, lit] of digits) {
    const mark = element.querySelector(`.pencil--${digit}`);
    if (mark) light(mark, lit);
    for (const each of element.querySelectorAll(".cell__centre > span")) if (each.textContent === String(digit)) light(each, lit);
  }
}

/**
 * Return a function paint(looks, {chosen, cursor, same, lines}) for one board element; options: for the names of cells.
 */
export function painter(board, phrase, options) {
  const cells = CELLS.map((cell) => board.querySelector(`#c${cell}`));
  const drawn = cells.map(() => ({}));

  function set(cell, name, value) {
    if (drawn[cell][name] === value) return;
    drawn[cell][name] = value;
    if (value === false) cells[cell].removeAttribute(name);
    else cells[cell].setAttribute(name, value === true ? "" : value);
  }

  return (seen, { chosen, cursor, same, lines }) => {
    const peers = new Set(lines && chosen.size === 1 ? PEERS[cursor] : []);
    // First, while no style is stale: on the focused cell, Chromium recalculates all styles.
    for (const cell of CELLS) set(cell, "tabindex", cell === cursor ? 0 : -1);
    for (const cell of CELLS) {
      const look = seen[cell];
      set(cell, "data-digit", look.digit || false);
      set(cell, "data-conflict", look.conflict);
      set(cell, "data-wrong", look.wrong);
      set(cell, "aria-invalid", (look.conflict || look.wrong) && "true");
      set(cell, "data-selected", chosen.has(cell));
      set(cell, "data-cursor", chosen.has(cell) && cell === cursor);
      set(cell, "data-peer", peers.has(cell));
      set(cell, "data-same", same > 0 && look.digit === same && !chosen.has(cell));
      // Text and drawings are only updated for changed cells: they cost more than all the rest.
      const key = Object.values(look).join();
      const was = drawn[cell];
      const marks = look.digit ? 0 : pencilled(look) | look.centre;
      const lit = has(marks, same) ? same : 0;
      const changed = was.key !== key;
      if (changed || was.lit !== lit) {
        const element = cells[cell].querySelector(".cell__ink");
        const partly = was.look && plain(was.look) && plain(look) && pencilled(was.look) && marks;
        if (changed) cells[cell].querySelector(".visually-hidden").textContent = cellName(cell, look, phrase, options);
        if (changed && !partly) element.replaceChildren(...ink(look, same));
        else {
          if (changed) redrawMarks(element.querySelector(".cell__marks"), look, was.look, same);
          if (was.lit !== lit) relight(element, [[was.lit, false], [lit, true]]);
        }
      }
      Object.assign(was, { key, lit, look });
    }
  };
}

/** Draw a small picture of a board beside another; template: holds one of 81 empty cells. */
export function thumb(template, seen, other) {
  const picture = template.content.firstElementChild.cloneNode(true);
  for (const [cell, text] of picture.querySelectorAll("text").entries()) {
    const { digit, given } = seen[cell];
    if (!digit) continue;
    text.classList.add(given ? "thumb__given" : digit === other[cell].digit ? "thumb__own" : "thumb__other");
    text.textContent = digit;
  }
  return picture;
}
