// A long proof read step by step: the note shows one step of it, and the board what belongs to that step.

import { filled } from "./speech.js";

/** Page the hint below `root`; returns show(step), which does nothing where there is one step. say: has a text spoken. */
export function pager(root, say) {
  let at = 1;

  /** Show one step, or for 0 all of them. */
  function show(step, { aloud = false } = {}) {
    const panel = root.querySelector("#hint-panel");
    const overlay = root.querySelector("#overlay");
    const items = [...panel.querySelectorAll(".steps > [data-step]")];
    if (items.length < 2) return;
    if (step) at = Math.min(Math.max(step, 1), items.length);
    panel.toggleAttribute("data-all", !step);
    for (const item of items) item.toggleAttribute("data-on", item === items[at - 1]);
    overlay.dataset.paged = "";
    for (const part of overlay.querySelectorAll("[data-step]")) {
      part.toggleAttribute("hidden", step > 0 && !part.dataset.step.split(" ").includes(items[at - 1].dataset.step));
    }
    const [back, on, all] = panel.querySelectorAll("[data-page]");
    [back.ariaDisabled, on.ariaDisabled, all.ariaPressed] = [at === 1, at === items.length, !step].map(String);
    const place = panel.querySelector(".pager__at");
    place.textContent = filled(place.dataset.text, { shown: at, count: items.length });
    if (!aloud || !step) return;
    items[at - 1].scrollIntoView({ block: "nearest" });
    say(`${place.textContent}. ${items[at - 1].textContent}`);
  }

  root.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-page]");
    if (!button) return;
    const by = Number(button.dataset.page);
    show(by || button.ariaPressed === "true" ? at + by : 0, { aloud: true });
  });
  return show;
}
