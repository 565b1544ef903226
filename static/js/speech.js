// What the board says: phrases in the reader's language, the names of cells, and the one live region.

import { boxOf, columnOf, digitsIn, rowOf } from "./fold.js";

/** A function (key, values) -> sentence over the texts of `template`: [data-phrase] with {names} to fill in. */
export function readPhrases(template) {
  const texts = new Map([...template.content.querySelectorAll("[data-phrase]")].map((p) => [p.dataset.phrase, p.textContent]));
  return phraseBook(texts);
}

/** A text with its {names} filled in. */
export const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

export const phraseBook = (texts) => (key, values = {}) => filled(texts.get(key) ?? "", values);

const listed = (mask) => digitsIn(mask).join(" ");

/** What a cell holds, in words; look: as paint.js sees it. struck: whether to name the candidates you struck. */
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

/** The accessible name of a cell; templates/web/macros/cells.html writes the same. */
export const cellName = (cell, look, phrase, options) => `${place(cell, phrase)}, ${content(look, phrase, options)}`;

/** A function that has `region` (role=status) spoken. */
export function speaker(region) {
  return (text) => {
    // The same sentence twice must be a change, or it is not spoken again.
    region.textContent = text && text === region.textContent ? `${text}\u00a0` : text;
  };
}
