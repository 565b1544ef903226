// The queue by keys: the link of each row takes the focus, letters act on its puzzle, or on the chosen ones.

const typing = (element) => element.matches("input:not([type=checkbox]), select, textarea");

export function queue(form) {
  const act = document.getElementById("act");
  const reject = document.getElementById("reject");
  const preview = document.getElementById("preview");
  const links = () => [...form.querySelectorAll(".queue__open")];
  const rowOf = (element) => element.closest(".queue__row");
  let current = null; // the id of the row that acts; a row is drawn anew by every answer

  const row = () => document.getElementById(current) ?? rowOf(links()[0]);
  const focus = (target) => target?.querySelector(".queue__open").focus();
  const chosen = () => form.querySelectorAll("input[name=puzzle]:checked");

  function step(by) {
    const all = links().map(rowOf);
    const at = all.indexOf(row());
    focus(all[Math.min(Math.max(at + by, 0), all.length - 1)]);
  }

  /** The next row that still waits; after the last one the way to whatever waits now. */
  function onwards(from) {
    const all = links().map(rowOf);
    const after = all.slice(all.indexOf(from) + 1);
    const next = after.find((other) => other.dataset.status === from.dataset.status);
    if (next) focus(next);
    else form.querySelector("#queue-more").focus();
  }

  function schedule(target) {
    const door = target.querySelector("[data-act=schedule]");
    if (door) return door.click();
    const words = Object.assign(document.createElement("p"), { className: "toast__words", textContent: form.dataset.first });
    const told = Object.assign(document.createElement("div"), { className: "toast toast--wrong" });
    told.append(words);
    document.getElementById("toast").replaceChildren(told);
  }

  function decide(action, target) {
    if (chosen().length > 0) {
      form.requestSubmit(form.querySelector(`.queue__several [value=${action}]`));
    } else if (action === "reject") {
      reject.querySelector("#reject-puzzle").value = target.dataset.choice;
      reject.querySelector("#reject-words").value = "";
      reject.returnValue = "";
      reject.showModal();
    } else {
      act.elements.action.value = action;
      act.elements.puzzle.value = target.dataset.choice;
      act.requestSubmit();
      onwards(target);
    }
  }

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    a: () => decide("approve", row()),
    r: () => decide("reject", row()),
    d: () => schedule(row()),
    u: () => document.querySelector("#undo button")?.click(),
    x: () => row().querySelector("input[name=puzzle]").click(),
  };

  form.addEventListener("focusin", (event) => {
    const found = rowOf(event.target);
    if (found) current = found.id;
  });
  form.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    const key = keys[event.key.toLowerCase()];
    if (!key || document.documentElement.dataset.ui.includes("letters-off")) return;
    event.preventDefault();
    key();
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
    const number = chosen().length;
    document.getElementById("queue-chosen").textContent = number;
    form.dataset.chosen = number;
  }
  form.addEventListener("change", count);
  count();

  reject.addEventListener("keydown", (event) => {
    if (event.key.length > 1 || typing(event.target) || event.ctrlKey || event.metaKey) return;
    reject.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
  });
  reject.querySelector("[data-close]").addEventListener("click", () => reject.close());
  reject.querySelector("form").addEventListener("submit", () => {
    const target = row();
    reject.close();
    onwards(target);
  });
  document.body.addEventListener("htmx:after:swap", () => {
    if (!form.isConnected) return;
    if (preview.querySelector("form:not([data-sent])") && !preview.open) preview.showModal();
    count();
    // A row that was drawn anew has lost the focus it had.
    if (document.activeElement === document.body) focus(row());
  });
}
