// The desk's pages by keyboard and drag, and its dialog for password and code.

import { alone, onKeys, request } from "./main.js";

const ASKED = "Desk-Proof"; // webapp/curation/access.py
const AGAIN = 10_000; // ms until a form may be sent again: its response may be a file, or never come

/** Return the message of an error page or fragment; nothing for other responses. */
const said = (page) => new DOMParser().parseFromString(page ?? "", "text/html").querySelector(".notice span, .lead")?.textContent.trim();

/** On every page of the desk: the buttons and links that name a key, and the reason why a request of htmx failed. */
export function keys(main) {
  onKeys(main);
  main.addEventListener("htmx:response:error", ({ detail: { ctx } }) => (ctx.words = said(ctx.text)));
}

const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The calendar's links and forms do everything too. htmx replaces #calendar, so all listeners are on its parent. */
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

  place.addEventListener("keydown", (event) => {
    const slot = event.target.closest(".slot");
    if (!slot || !alone(event) || !WAYS[event.key]) return;
    event.preventDefault();
    step(slot, WAYS[event.key]);
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

/**
 * Outside text fields arrow keys move the frame over the found puzzles, letters act on the framed one, "/" goes to the search
 * and Esc leaves it. On a puzzle's own page, letters act on it.
 */
export function puzzles(page) {
  const search = page.querySelector("#q");
  const several = page.querySelector("#several");
  const all = () => [...page.querySelectorAll(".found")];
  const framed = () => page.querySelector(".found[data-picked]") ?? all()[0];
  let decided = null; // the framed puzzle of the last decision, and its status

  function pick(card) {
    for (const other of all()) other.toggleAttribute("data-picked", other === card);
  }

  function frame(card) {
    if (!card) return;
    pick(card);
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
    (framed() ?? page).querySelector(`[data-act="${letter}"]`)?.click();
  }

  const moves = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => step(-across()), ArrowDown: () => step(across()) };
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

  search?.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") search.blur();
  });
  // A card that is picked shows its buttons: before the click this would move what is clicked on.
  page.addEventListener("click", ({ target }) => {
    const card = target.closest(".found");
    if (card) pick(card);
    if (card && target.closest("button[data-act]")) decided = { id: card.id, status: card.dataset.status };
  });
  page.addEventListener("focusin", ({ target }) => {
    const card = target.closest(".found");
    if (card && target.matches(":focus-visible")) pick(card);
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

/**
 * Ask for password and code when a change needs them, then send the interrupted form: no selection, input or file is lost.
 */
export function proof(dialog) {
  const form = dialog.querySelector("form");
  const wrong = dialog.querySelector(".field__wrong");
  const underWay = new WeakSet(); // forms being sent: another click sends nothing
  const proven = new WeakSet(); // those of them that are sent now

  function ask() {
    form.reset();
    wrong.textContent = "";
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((done) => {
      dialog.addEventListener("close", () => done(dialog.returnValue), { once: true });
    });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    const silent = () => ({ ok: false, text: "" });
    const answer = await request(form.action, { method: "POST", body, headers: { [ASKED]: "given" } }).catch(silent);
    if (answer.ok) return dialog.close("proved");
    wrong.textContent = answer.status === 422 ? answer.text : said(answer.text) || document.body.dataset.silent;
    form.elements.desk_code.select();
  });

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    const send = ctx.fetch;
    ctx.fetch = async (address, options) => {
      const answer = await send(address, options);
      if (answer.headers.get(ASKED) !== "asked") return answer;
      if (!(await ask())) return new Response(null, { status: 204 });
      return send(address, { ...options, signal: undefined }); // the first one may have timed out meanwhile
    };
  });

  document.addEventListener("submit", async (event) => {
    const { target, submitter } = event;
    if (event.defaultPrevented || !target.matches("[method=post]:not([hx-post])")) return;
    if (proven.delete(target)) return;
    event.preventDefault();
    if (underWay.has(target)) return;
    underWay.add(target);
    try {
      const { ok } = await request(dialog.dataset.fresh, { redirect: "manual" }).catch(() => ({ ok: true })); // the form will report it
      if (!ok && !(await ask())) return;
      proven.add(target);
      target.requestSubmit(submitter);
      await new Promise((done) => setTimeout(done, AGAIN));
    } finally {
      underWay.delete(target);
    }
  });
}
