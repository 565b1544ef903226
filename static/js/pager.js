// A long proof read step by step: the note shows one step of it, and the board its cells and links.

import { filled } from "./speech.js";

/** Page the hint below `root`; returns begin(), to call when the hint changes. say: announces a text. */
export function pager(root, say) {
  let at = 0; // the current step, from 1; 0: all of them

  function show(step) {
    const panel = root.querySelector("#hint-panel");
    const overlay = root.querySelector("#overlay");
    const items = [...panel.querySelectorAll(".steps > [data-step]")];
    if (items.length < 2) return;
    at = Math.min(Math.max(step, 0), items.length);
    const item = items[at - 1];
    for (const element of [panel, overlay]) element.toggleAttribute("data-paged", at > 0);
    for (const each of items) each.toggleAttribute("data-on", each === item);
    for (const part of overlay.querySelectorAll("[data-step]")) {
      part.toggleAttribute("hidden", at > 0 && !part.dataset.step.split(" ").includes(item.dataset.step));
    }
    const [back, on, all] = panel.querySelectorAll("[data-page]");
    [back.ariaDisabled, on.ariaDisabled, all.ariaPressed] = [!at, at === items.length, !at];
    const place = panel.querySelector(".pager__at");
    place.textContent = filled(at ? place.dataset.one : place.dataset.all, { shown: at, count: items.length });
    if (!item) return;
    const folded = item.closest("details");
    if (folded) folded.open = true;
    item.scrollIntoView({ block: "nearest" });
    say(`${place.textContent}. ${item.textContent}`);
  }

  root.addEventListener("click", ({ target }) => {
    const by = target.closest("[data-page]")?.dataset.page;
    if (by) show(by === "0" ? 0 : at + Number(by));
  });
  return () => show(0);
}
