// The calendar by keyboard and drag. Its links and forms do everything too; htmx replaces #calendar, so all listeners are on its
// parent.

import { alone, onKeys } from "./keys.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function calendar(place) {
  let dragged = null; // the data of the slot that is dragged
  let last = null; // the id of the slot that had the focus

  /** Return the nearest slot in a direction, skipping days without a puzzle. */
  function step(from, [down, right]) {
    const cell = from.closest("td");
    const { rows } = cell.closest("table");
    const forward = document.dir === "rtl" ? -right : right;
    let row = cell.parentElement.rowIndex + down;
    let column = cell.cellIndex + forward;
    for (; column > 0 && rows[row]?.cells[column]; row += down, column += forward) {
      const target = rows[row].cells[column].querySelector(".slot");
      if (target) return target.focus();
    }
  }

  onKeys(place);
  place.addEventListener("keydown", (event) => {
    const slot = event.target.closest(".slot");
    if (!slot || !alone(event) || !ARROWS[event.key]) return;
    event.preventDefault();
    step(slot, ARROWS[event.key]);
  });
  place.addEventListener("focusin", ({ target }) => {
    if (target.matches(".slot")) last = target.id;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!place.isConnected || !document.activeElement?.matches("body, .slot, #picked *")) return;
    document.getElementById(last)?.focus({ preventScroll: true });
  });

  place.addEventListener("dragstart", (event) => {
    dragged = event.target.closest("td[draggable]")?.dataset;
    if (!dragged) return;
    event.dataTransfer.setData("text/plain", ""); // some browsers need it to start a drag
    event.dataTransfer.effectAllowed = "move";
  });

  /** Return the cell below the pointer, if it accepts what is dragged. */
  function under(event) {
    const cell = event.target.closest?.("td[data-free]");
    if (!dragged || cell?.dataset.level !== dragged.level || cell.dataset.day === dragged.day) return null;
    event.preventDefault();
    return cell;
  }
  const mark = (cell) => {
    for (const other of place.querySelectorAll("td[data-over]")) other.removeAttribute("data-over");
    cell?.setAttribute("data-over", "");
  };

  place.addEventListener("dragover", (event) => mark(under(event)));
  place.addEventListener("dragend", () => {
    mark(null);
    dragged = null;
  });
  place.addEventListener("drop", (event) => {
    const cell = under(event);
    mark(null);
    if (!cell) return;
    const form = document.getElementById("calendar-move");
    const { day, level, seen } = dragged;
    const fields = { day, level, seen, to: cell.dataset.day, there: cell.dataset.seen };
    for (const [name, value] of Object.entries(fields)) form.elements[name].value = value;
    form.requestSubmit();
  });
}
