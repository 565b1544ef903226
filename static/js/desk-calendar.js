// The calendar by keyboard and drag. Its links and forms do everything too; htmx replaces #calendar-month, so all
// listeners are on its parent.

import { alone, onKeys } from "./keys.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function calendar(place) {
  const within = (selector) => place.querySelector(selector);
  let dragged = null; // the data of a puzzle for slots of a level, or of its current slot
  let keyboard = false; // whether the last input was a key: then the focus moves along

  function send(name, fields) {
    const form = document.getElementById(`calendar-${name}`);
    for (const [field, value] of Object.entries(fields)) form.elements[field].value = value;
    form.requestSubmit();
  }

  const slotOf = ({ date, slot, instead }) => ({ date, level: slot, instead });

  /** Return [down, forward] of an arrow key: in right-to-left languages, left is forward. */
  const way = ([down, right]) => [down, document.dir === "rtl" ? -right : right];

  /** Return the nearest slot in a direction, skipping heading rows and released days without a puzzle. */
  function step(from, [down, right]) {
    const cell = from.closest("td");
    const rows = [...cell.closest("table").rows];
    let row = rows.indexOf(cell.parentElement) + down;
    let column = cell.cellIndex + right;
    for (; column > 0 && rows[row] && (down || column < rows[row].cells.length); row += down, column += right) {
      const target = rows[row].cells[column]?.querySelector("[id^=slot-]");
      if (target) return target.focus();
    }
  }

  const meant = () => document.getElementById(within("#calendar-slot")?.dataset.slotOf);

  /**
   * Return the element to focus next: the confirmation, a puzzle for the slot, a slot for the puzzle, or the current
   * slot.
   */
  function next() {
    return within("#calendar-sure") ?? within("[data-choose]") ?? within(".schedule__put") ?? meant();
  }

  onKeys(place);
  place.addEventListener("keydown", (event) => {
    keyboard = true;
    if (!alone(event)) return;
    const slot = event.target.closest("[id^=slot-]");
    const choice = event.target.closest("[data-choose]");
    if (slot && ARROWS[event.key]) {
      step(slot, way(ARROWS[event.key]));
    } else if (slot && event.key === "Delete" && slot.closest("td").dataset.instead) {
      send("off", slotOf(slot.closest("td").dataset));
    } else if (choice && ARROWS[event.key]) {
      const [down, right] = way(ARROWS[event.key]);
      const choices = [...place.querySelectorAll("[data-choose]")];
      choices[choices.indexOf(choice) + down + right]?.focus();
    } else if (event.key === "Escape" && event.target.closest("#calendar-slot, #calendar-told")) {
      meant()?.focus();
    } else {
      return;
    }
    event.preventDefault();
  });
  place.addEventListener("pointerdown", () => (keyboard = false));

  document.addEventListener("htmx:after:swap", () => {
    if (!place.isConnected) return;
    const done = document.activeElement?.matches("body, .schedule__slot[aria-current], [data-choose]");
    if (keyboard && (done || within("#calendar-sure"))) next()?.focus();
  });

  place.addEventListener("dragstart", (event) => {
    dragged = event.target.closest("[data-puzzle], td[draggable]")?.dataset;
    if (!dragged) return;
    event.dataTransfer.setData("text/plain", ""); // some browsers need it to start a drag
    event.dataTransfer.effectAllowed = "move";
  });

  /** Return the cell below the pointer, if it accepts what is dragged. */
  function under(event) {
    const cell = event.target.closest?.("td[data-slot]");
    if (!cell || cell.dataset.slot !== dragged?.slot) return null;
    event.preventDefault();
    return cell;
  }
  const mark = (cell) => {
    within(".schedule__cell--over")?.classList.remove("schedule__cell--over");
    cell?.classList.add("schedule__cell--over");
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
    keyboard = false;
    const to = slotOf(cell.dataset);
    if (dragged.puzzle) send("put", { ...to, instead: cell.dataset.replaced, puzzle: dragged.puzzle });
    else if (dragged.date !== to.date) send("move", { ...slotOf(dragged), to: to.date, there: to.instead });
  });
}
