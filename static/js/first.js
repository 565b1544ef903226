// A newcomer's first board on the home page: a cell is selected here, and its digit is sent, which starts the game.

import { boxOf, columnOf, rowOf } from "./fold.js";
import { target } from "./grid.js";
import { onGridKeys, rove } from "./keys.js";
import { make } from "./paint.js";

export function first(root) {
  const form = root.querySelector("form");
  const cells = [...root.querySelectorAll(".cell")];
  let chosen = Math.max(0, cells.findIndex((cell) => "selected" in cell.dataset));

  const near = (cell) => [rowOf, columnOf, boxOf].some((of) => of(cell) === of(chosen));

  function mark() {
    for (const [number, cell] of cells.entries()) {
      const here = number === chosen;
      cell.toggleAttribute("data-selected", here);
      cell.toggleAttribute("data-cursor", here);
      cell.toggleAttribute("data-peer", !here && near(number));
    }
    form.elements.cell.value = chosen;
  }

  function choose(number) {
    chosen = number;
    rove(cells, chosen);
    cells[chosen].focus();
    mark();
  }

  for (const [number, cell] of cells.entries()) {
    cell.querySelector(".cell__link").removeAttribute("href"); // without an address it is neither a link nor a tab stop
    cell.addEventListener("click", () => choose(number));
    cell.addEventListener("focus", mark);
  }
  rove(cells, chosen);
  onGridKeys(root, { move: (where) => choose(target(chosen, where)), digit: (digit) => form.elements.digit[digit - 1].click() });
  form.addEventListener("submit", (event) => {
    if ("given" in cells[chosen].dataset) event.preventDefault();
    else cells[chosen].querySelector(".cell__ink").replaceChildren(make("span", "cell__digit", event.submitter.value));
  });
}
