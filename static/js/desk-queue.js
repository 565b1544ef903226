// The queue by keyboard, wherever the focus is: letters act on the puzzle of the current row, whose link gets the
// focus, or on the selected ones.

import { keyed, onKeys } from "./keys.js";
import { filled } from "./speech.js";

export function queue(form) {
  const act = document.getElementById("act");
  const reject = document.getElementById("reject");
  const preview = document.getElementById("preview");
  const wrong = document.getElementById("wrong"); // template of a toast, and its text
  const rows = () => [...form.querySelectorAll(".queue__row")];
  const rowOf = (element) => element.closest(".queue__row");
  let shown = preview.querySelector("form"); // the last preview
  let current = null; // the id of the current row; every response replaces the row

  const row = () => document.getElementById(current) ?? rows()[0];
  function focus(target) {
    target?.querySelector(".queue__open").focus();
    target?.scrollIntoView({ block: "nearest" }); // above a toast, by the page's scroll-padding
  }
  const chosen = () => form.querySelectorAll("input[name=puzzle]:checked, input[name=all]:checked");

  function step(by) {
    const all = rows();
    if (!document.getElementById(current)) return focus(all[0]);
    focus(all[all.indexOf(row()) + by] ?? row());
  }

  /** Return the next open row; after the last one the link to the next page. */
  function onwards(from) {
    const all = rows();
    const at = all.indexOf(from);
    const next = all.find((other, index) => index > at && other.dataset.status === from.dataset.status);
    if (next) focus(next);
    else form.querySelector("#queue-more").focus();
  }

  function tell(words) {
    wrong.content.querySelector("p").textContent = words;
    document.getElementById("toast").replaceChildren(wrong.content.cloneNode(true));
  }

  /**
   * Report what failed and why. The row keeps the message, because the curator has moved on and the next decision replaces the
   * toast.
   */
  function failed({ request: { body }, response, text = "" }) {
    const answer = new DOMParser().parseFromString(text, "text/html");
    const [first, another] = body.getAll("puzzle");
    const [number] = first && !another ? first.split(":") : [];
    let words = answer.querySelector(".toast__words")?.textContent;
    if (!words) {
      const why = response?.status < 500 ? (answer.querySelector(".notice span")?.textContent ?? "") : wrong.dataset.away;
      words = filled((number && wrong.dataset[body.get("action")]) || wrong.dataset.nothing, { number, why });
      tell(words);
    }
    const place = document.querySelector(`#puzzle-${number} .queue__decision`);
    if (!place) return;
    place.querySelector(".field__wrong")?.remove();
    const mark = document.createElement("p");
    mark.className = "field__wrong";
    mark.textContent = words;
    place.prepend(mark);
  }

  function schedule(target) {
    const button = target.querySelector("[data-act=schedule]");
    if (button) button.click();
    else tell(wrong.dataset.early);
  }

  function decide(action, target) {
    if (chosen().length > 0) {
      form.querySelector(`.queue__several [value=${action}]`).click();
    } else if (action === "reject") {
      const { puzzle, words } = reject.querySelector("form").elements;
      puzzle.value = target.dataset.choice;
      words.value = "";
      reject.showModal();
    } else {
      act.elements.action.value = action;
      act.elements.puzzle.value = target.dataset.choice;
      act.requestSubmit();
      onwards(target);
    }
  }

  onKeys(form, {
    j: () => step(1),
    k: () => step(-1),
    a: () => decide("approve", row()),
    r: () => decide("reject", row()),
    d: () => schedule(row()),
    x: () => row().querySelector("input[name=puzzle]").click(),
  });

  onKeys(document.getElementById("toast"));

  form.addEventListener("focusin", (event) => {
    const found = rowOf(event.target);
    if (found) current = found.id;
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act=approve], [data-act=reject]");
    if (!button) return;
    event.preventDefault();
    for (const box of chosen()) box.checked = false;
    count();
    decide(button.dataset.act, rowOf(button));
  });

  function count() {
    const all = form.querySelector("input[name=all]:checked");
    document.getElementById("queue-chosen").textContent = form.dataset.chosen = all?.dataset.count ?? chosen().length;
  }
  form.addEventListener("change", count);
  count();

  reject.addEventListener("keydown", (event) => keyed(reject, event)?.click());
  reject.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-key]");
    if (!button) return;
    reject.querySelector("[name=words]").value = button.value;
    reject.querySelector("form").requestSubmit();
  });
  preview.addEventListener("submit", () => preview.close());
  reject.addEventListener("submit", () => {
    const target = row();
    reject.close();
    onwards(target);
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (form.isConnected && ctx.request.method === "POST" && ctx.response?.status !== 200) failed(ctx);
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!form.isConnected) return;
    const words = preview.querySelector("form");
    if (words && words !== shown) preview.showModal();
    shown = words;
    count();
    // A replaced row has lost its focus; a focused row may be below the toast.
    if (document.activeElement.matches("body, .queue__open")) focus(row());
  });
}
