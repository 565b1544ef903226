// The board's announcements: phrases in the reader's language, the names of cells, and the one live region.

import { boxOf, columnOf, digitsIn, rowOf } from "./fold.js";

/** Return a function (key, values) -> sentence for the texts of `template`: [data-phrase] with {names} to fill in. */
export function readPhrases(template) {
  const texts = new Map([...template.content.querySelectorAll("[data-phrase]")].map((p) => [p.dataset.phrase, p.textContent]));
  return phraseBook(texts);
}

/** Fill in the {names} of a text. */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

export const phraseBook = (texts) => (key, values = {}) => filled(texts.get(key) ?? "", values);

const listed = (mask) => digitsIn(mask).join(" ");

/** Describe a cell's content; look: from paint.js. struck: whether to include the candidates struck by the player. */
export function content(look, phrase, { struck = false } = {}) {
  const parts = [look.digit || phrase("empty")];
  if (look.given) parts.push(phrase("given"));
  if (look.conflict) parts.push(phrase("conflict"));
  if (look.wrong) parts.push(phrase("wrong"));
  if (!look.digit) {
    for (const [key, mask] of [["corner", look.corner], ["centre", look.centre], ["candidates", look.open], ["struck", struck && look.struck]]) {
      if (mask) parts.push(phrase(key, { digits: listed(mask) }));
    }
  }
  if (look.colours) parts.push(phrase("colours", { digits: listed(look.colours) }));
  return parts.join(", ");
}

const place = (cell, phrase) =>
  phrase("place", { row: rowOf(cell) + 1, column: columnOf(cell) + 1, box: boxOf(cell) + 1 });

/** Return the accessible name of a cell; templates/web/macros/cells.html renders the same. */
export const cellName = (cell, look, phrase, options) => `${place(cell, phrase)}, ${content(look, phrase, options)}`;

/** Return a function that announces a text in `region` (role=status). */
export function speaker(region) {
  return (text) => {
    // The same sentence twice must be a change, or it isn't announced again.
    region.textContent = text && text === region.textContent ? `${text}\u00a0` : text;
  };
}
