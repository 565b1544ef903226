// Announcements of the board on request: the time, a cell, a house's missing digits, a digit's places.

import { CELLS, columnOf, rowOf } from "./fold.js";
import { missing } from "./grid.js";
import { setting } from "./settings.js";
import { cellName } from "./speech.js";

/** Return the answer to "time", "cell", "row", "column" or "box", at the cursor. */
export function answer({ cursor, link, phrase, root, seen, tick }, what) {
  if (what === "time") {
    return setting("timer") === "off" && !("ranked" in root.dataset) ? phrase("untimed") : `${phrase("time")} ${tick()}`;
  }
  if (what === "cell") return cellName(cursor, seen[cursor], phrase, { struck: true });
  const { number, digits } = missing(what, cursor, link.game.board.digits);
  const house = phrase(what, { number });
  return digits.length ? phrase("lacks", { house, digits: digits.join(" ") }) : phrase("complete", { house });
}

/** Return a digit's places and the number left. */
export function places({ phrase, seen }, digit) {
  const cells = CELLS.filter((cell) => seen[cell].digit === digit);
  const named = cells.map((cell) => phrase("at", { row: rowOf(cell) + 1, column: columnOf(cell) + 1 }));
  return phrase("where", { digit, count: cells.length, left: 9 - cells.length, cells: named.join(", ") });
}
