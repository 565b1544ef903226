// The queue by keys, wherever the focus is: letters act on the puzzle of the current row, whose link takes the focus, or
// on the chosen ones.

import { keyed, onKeys } from "./keys.js";
import { filled } from "./speech.js";

export function queue(form) {
  const act = document.getElementById("act");
  const reject = document.getElementById("reject");
  const preview = document.getElementById("preview");
  const wrong = document.getElementById("wrong"); // a toast to fill in, and its words
  const rows = () => [...form.querySelectorAll(".queue__row")];
  const rowOf = (element) => element.closest(".queue__row");
  let shown = preview.querySelector("form"); // what was last previewed
  let current = null; // the id of the row that acts; a row is drawn anew by every answer

  const row = () => document.getElementById(current) ?? rows()[0];
  function focus(target) {
    target?.querySelector(".queue__open").focus();
    target?.scrollIntoView({ block: "nearest" }); // above a toast: the page's scroll-padding says how far
  }
  const chosen = () => form.querySelectorAll("input[name=puzzle]:checked, input[name=all]:checked");

  function step(by) {
    const all = rows();
    if (!document.getElementById(current)) return focus(all[0]);
    focus(all[all.indexOf(row()) + by] ?? row());
  }

  /** The next row that still waits; after the last one the way to whatever waits now. */
  function onwards(from) {
    const all = rows();
    const at = all.indexOf(from);
    const next = all.find((other, index) => index > at && other.dataset.status === from.dataset.status);
    if (next) focus(next);
    else form.querySelector("#queue-more").focus();
  }

  function tell(words) {
    wrong.content.querySelector("p").textContent = words;
    document.getElementById("toast").innerHTML = wrong.innerHTML;
  }

  /** Say what was not done and why. The row keeps it: nobody waits for an answer, and the next one has a toast, too. */
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
    const door = target.querySelector("[data-act=schedule]");
    if (door) door.click();
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
    const door = event.target.closest("[data-act=approve], [data-act=reject]");
    if (!door) return;
    event.preventDefault();
    for (const box of chosen()) box.checked = false;
    count();
    decide(door.dataset.act, rowOf(door));
  });

  function count() {
    const all = form.querySelector("input[name=all]:checked");
    document.getElementById("queue-chosen").textContent = form.dataset.chosen = all?.dataset.count ?? chosen().length;
  }
  form.addEventListener("change", count);
  count();

  reject.addEventListener("keydown", (event) => keyed(reject, event)?.click());
  reject.addEventListener("click", ({ target }) => {
    const door = target.closest("[data-key]");
    if (!door) return;
    reject.querySelector("[name=words]").value = door.value;
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
    // A row that was drawn anew has lost the focus it had; one that has it may lie below the toast.
    if (document.activeElement.matches("body, .queue__open")) focus(row());
  });
}
