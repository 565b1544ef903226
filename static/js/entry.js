// Typing a puzzle into a board of fields: a digit leads on to the next field, arrows move, and it is one tab stop.

import { CELLS, conflicts } from "./fold.js";
import { target } from "./grid.js";

const WAYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Home: "row-start", End: "row-end" };

export function entry(form) {
  const fields = () => [...form.querySelectorAll("[name=cell]")]; // a pasted puzzle brings new ones

  function stop(at) {
    fields().forEach((field, cell) => (field.tabIndex = cell === at ? 0 : -1));
  }

  form.addEventListener("focusin", ({ target: field }) => {
    if (field.name !== "cell") return;
    stop(fields().indexOf(field));
    field.select();
  });
  form.addEventListener("keydown", (event) => {
    const all = fields();
    const cell = all.indexOf(event.target);
    if (cell < 0 || !WAYS[event.key]) return;
    event.preventDefault();
    all[target(cell, WAYS[event.key])].focus();
  });
  form.addEventListener("input", ({ target: field }) => {
    const all = fields();
    if (!/[1-9]/.test(field.value)) field.value = "";
    const clashes = conflicts(CELLS.map((cell) => Number(all[cell].value)));
    for (const cell of CELLS) all[cell].ariaInvalid = clashes[cell] ? "true" : null;
    all[all.indexOf(field) + 1]?.focus();
  });
  stop(0);
}
