// Review: a slider over the moves of a solved attempt, drawn by the board's own fold and painter.

import { after, begin, clockText, filled, looks, painter, readPhrases } from "./main.js";

export function review(root) {
  const moves = JSON.parse(root.dataset.log); // [[seq, kind, cell, digit, ms], ...]
  const games = [begin(root.dataset.givens)];
  for (const move of moves) games.push(after(games.at(-1), move));
  const slider = root.querySelector("#move");
  const output = root.querySelector("output");
  const draw = painter(root.querySelector("#board"), readPhrases(root.querySelector("#phrases")));

  function show(number) {
    for (const element of root.querySelectorAll(".overlay, .review__now")) element.remove(); // of a step of the path
    root.querySelector(".review__elsewhere")?.removeAttribute("name");
    slider.value = number; // which clamps it to the moves
    const shown = slider.valueAsNumber;
    const [, , cell = ""] = moves[shown - 1] ?? [];
    const chosen = new Set(cell === "" ? [] : String(cell).split(",").map((item) => parseInt(item, 10)));
    draw(looks(games[shown]), { chosen, cursor: -1, same: 0 });
    const time = clockText(moves[shown - 1]?.[4] ?? 0);
    output.textContent = filled(output.dataset.text, { shown, count: moves.length, time });
  }

  slider.addEventListener("input", () => show(slider.valueAsNumber));
  root.parentElement.addEventListener("click", (event) => {
    const link = event.target.closest("[data-by], [data-move]");
    if (!link || !root.isConnected) return;
    event.preventDefault();
    show(link.dataset.move ?? slider.valueAsNumber + Number(link.dataset.by));
    root.scrollIntoView({ block: "nearest" });
  });
  if (root.dataset.step) root.scrollIntoView({ block: "nearest" });
  else show(slider.valueAsNumber);
}
