// The calendar by keys and by drag. Its links and forms do everything too; htmx puts #calendar-month in anew, so all
// listeners stand on what is around it.

const DRAGGED = "application/x-ninefold"; // JSON: a puzzle with its level, or the slot it comes from

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export function calendar(place) {
  const within = (selector) => place.querySelector(selector);
  const all = (selector) => [...place.querySelectorAll(selector)];
  let keyboard = false; // whether the last thing done was a key: then the focus goes along

  function send(name, fields) {
    const form = document.getElementById(`calendar-${name}`);
    for (const [field, value] of Object.entries(fields)) form.elements[field].value = value;
    form.requestSubmit();
  }

  const slotOf = (cell) => ({ date: cell.dataset.date, level: cell.dataset.slot, instead: cell.dataset.instead });

  /** To the nearest slot in a direction: a row of words, or a released day without a puzzle, has none. */
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

  function among(choices, from, by) {
    choices[Math.min(Math.max(choices.indexOf(from) + by, 0), choices.length - 1)].focus();
  }

  /** What is to be chosen next: a puzzle for the slot, a slot for the puzzle, or the slot that was meant. */
  function next() {
    const side = within("#calendar-slot");
    return (
      within("#calendar-sure") ??
      within("[data-choose]") ??
      within(".schedule__put") ??
      document.getElementById(side?.dataset.slotOf)
    );
  }

  place.addEventListener("keydown", (event) => {
    keyboard = true;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
    const slot = event.target.closest("[id^=slot-]");
    const choice = event.target.closest("[data-choose]");
    if (slot && ARROWS[event.key]) {
      step(slot, ARROWS[event.key]);
    } else if (slot && event.key === "Delete" && slot.closest("td").dataset.instead) {
      send("off", slotOf(slot.closest("td")));
    } else if (choice && ARROWS[event.key]) {
      const [down, right] = ARROWS[event.key];
      among(all("[data-choose]"), choice, down + right);
    } else if (event.key === "Escape" && event.target.closest("#calendar-slot, #calendar-told")) {
      document.getElementById(within("#calendar-slot")?.dataset.slotOf)?.focus();
    } else {
      return;
    }
    event.preventDefault();
  });
  place.addEventListener("pointerdown", () => (keyboard = false));

  document.body.addEventListener("htmx:after:swap", () => {
    if (!place.isConnected) return;
    const { activeElement } = document;
    const lost = activeElement === document.body;
    const chosen = activeElement?.matches?.(".schedule__slot[aria-current]");
    if (keyboard && (lost || chosen || activeElement.matches("[data-choose]"))) next()?.focus();
  });

  place.addEventListener("dragstart", (event) => {
    const card = event.target.closest("[data-puzzle]");
    const cell = event.target.closest("td[draggable]");
    if (!card && !cell) return;
    const what = card ? { puzzle: card.dataset.puzzle, level: card.dataset.level } : slotOf(cell);
    event.dataTransfer.setData(DRAGGED, JSON.stringify(what));
    event.dataTransfer.setData(`${DRAGGED}-${what.level}`, ""); // while it is dragged only kinds can be read
    event.dataTransfer.effectAllowed = "move";
  });

  const under = (event) => {
    const cell = event.target.closest?.("[data-slot]");
    return cell && event.dataTransfer.types.includes(`${DRAGGED}-${cell.dataset.slot}`) ? cell : null;
  };
  const mark = (cell) => {
    for (const other of all(".schedule__cell--over")) other.classList.toggle("schedule__cell--over", other === cell);
    cell?.classList.add("schedule__cell--over");
  };

  place.addEventListener("dragover", (event) => {
    const cell = under(event);
    mark(cell);
    if (cell) event.preventDefault();
  });
  place.addEventListener("dragend", () => mark(null));
  place.addEventListener("drop", (event) => {
    const cell = under(event);
    mark(null);
    if (!cell) return;
    event.preventDefault();
    keyboard = false;
    const what = JSON.parse(event.dataTransfer.getData(DRAGGED));
    const to = slotOf(cell);
    if (what.puzzle) send("put", { ...to, puzzle: what.puzzle });
    else if (what.date !== to.date) send("move", { ...what, to: to.date, there: to.instead });
  });

  if (within(".schedule__put") && document.activeElement === document.body) within(".schedule__put").focus();
}
