// Entering a puzzle into a board of fields: a digit moves to the next field, arrows move, and it is one tab stop. The
// keys below it write to the focused field, so no on-screen keyboard covers the board.

import { CELLS, commandOf, conflicts, digitIn, rove, target } from "./main.js";

export function entry(form) {
  const fields = () => [...form.querySelectorAll("[name=cell]")]; // a pasted puzzle replaces them
  let current = 0;

  function stop(at) {
    current = at;
    rove(fields(), at);
    for (const field of fields()) field.inputMode = "none";
  }

  form.addEventListener("focusin", ({ target: field }) => {
    if (field.name !== "cell") return;
    stop(fields().indexOf(field));
    field.select();
  });
  form.addEventListener("keydown", (event) => {
    const all = fields();
    const cell = all.indexOf(event.target);
    const back = event.key === "Backspace" && !event.target.value;
    const [name, where] = commandOf(event, { letters: false }) ?? [];
    if (cell < 0 || (name !== "move" && !back)) return;
    event.preventDefault();
    all[back ? Math.max(0, cell - 1) : target(cell, where)].focus();
  });
  form.addEventListener("input", ({ inputType, target: field }) => {
    if (field.name !== "cell") return;
    const all = fields();
    field.value = digitIn(field.value) || "";
    const clashes = conflicts(CELLS.map((cell) => Number(all[cell].value)));
    for (const cell of CELLS) all[cell].ariaInvalid = clashes[cell] ? "true" : null;
    if (!inputType?.startsWith("delete")) all[all.indexOf(field) + 1]?.focus();
  });
  // Pressing a key with the pointer leaves the focus in its field.
  form.addEventListener("mousedown", (event) => event.target.closest(".enter__keys") && event.preventDefault());
  form.addEventListener("click", ({ target: pressed }) => {
    const key = pressed.closest(".enter__keys button");
    if (!key) return;
    const field = fields()[current];
    field.focus();
    field.value = key.value;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  form.addEventListener("paste", (event) => {
    const { grid } = form.elements;
    const text = event.clipboardData.getData("text");
    if (event.target.name !== "cell" || text.trim().length < 2) return;
    event.preventDefault();
    grid.value = text;
    grid.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  // Scroll to the result, which on a phone is below the keys, after a button or a link; not while typing.
  const show = () => document.getElementById("verdict").scrollIntoView({ block: "nearest" });
  let asked = false;
  if (location.search) show();
  form.addEventListener("submit", () => (asked = true));
  // A file's content is in the text from now on.
  document.addEventListener("htmx:after:swap", () => {
    if (asked) show();
    asked = false;
    form.elements.file.value = "";
    stop(current);
  });
  stop(0);
}
