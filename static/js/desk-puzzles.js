// Puzzles by keyboard, outside text fields: arrow keys move the frame over the found puzzles, letters act on the framed one, "/"
// goes to the search and Esc leaves it. On a puzzle's own page, letters act on it.

import { onKeys } from "./keys.js";

export function puzzles(page) {
  const search = page.querySelector("#q");
  const several = page.querySelector("#several");
  const all = () => [...page.querySelectorAll(".found")];
  const framed = () => page.querySelector(".found[data-picked]") ?? all()[0];
  let decided = null; // the framed puzzle of the last decision, and its status

  function frame(card) {
    if (!card) return;
    for (const other of all()) other.toggleAttribute("data-picked", other === card);
    card.querySelector(".found__board").focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  }

  function step(by) {
    const cards = all();
    frame(cards[cards.indexOf(framed()) + by]);
  }

  /** Return how many cards stand in a row. */
  const across = () => {
    const [first, ...others] = all().map((card) => card.offsetTop);
    const next = others.findIndex((top) => top !== first);
    return next < 0 ? others.length + 1 : next + 1;
  };

  function act(letter) {
    const scope = framed() ?? page;
    const button = scope.querySelector(`[data-act="${letter}"]`);
    if (framed() && letter !== "d") decided = { id: framed().id, status: framed().dataset.status };
    button?.click();
  }

  const moves = { arrowleft: () => step(-1), arrowright: () => step(1), arrowup: () => step(-across()), arrowdown: () => step(across()) };
  onKeys(page, {
    a: () => act("a"),
    r: () => act("r"),
    d: () => act("d"),
    j: () => (search ? step(1) : act("j")),
    k: () => (search ? step(-1) : history.back()),
    x: () => framed()?.querySelector("input[type=checkbox]").click(),
    "/": () => search?.select(),
    ...(search ? moves : {}),
  });
  onKeys(document.getElementById("toast"));

  search?.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") search.blur();
  });
  page.addEventListener("focusin", ({ target }) => {
    const card = target.closest(".found");
    if (card && card !== framed()) frame(card);
  });

  function count() {
    const chosen = page.querySelectorAll(".found__tick input:checked").length;
    page.querySelector("#several-count").textContent = chosen;
    several.toggleAttribute("data-chosen", chosen > 0);
  }
  if (!several) return;
  page.addEventListener("change", count);
  count();

  document.addEventListener("htmx:after:swap", () => {
    if (!page.isConnected || !decided) return;
    const card = document.getElementById(decided.id);
    const { status } = decided;
    decided = null;
    const cards = all();
    const next = cards.slice(cards.indexOf(card) + 1).find((other) => other.dataset.status === status);
    frame(card && card.dataset.status !== status && next ? next : card);
  });
}
