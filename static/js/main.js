// Attaches each behaviour to the elements that name it in data-behaviour, now and after htmx has swapped.

import { keepBoards } from "./offline.js";
import { play } from "./play.js";
import { settings, sheets } from "./settings.js";
import { moment } from "./time.js";

const print = (button) => button.addEventListener("click", () => globalThis.print());

const BEHAVIOURS = {
  moment, play, print, settings,
  // Needed on few pages, and loaded there.
  countdown: async (element) => (await import("./countdown.js")).countdown(element),
  review: async (element) => (await import("./review.js")).review(element),
};
const attached = new WeakSet();

function attach() {
  for (const element of document.querySelectorAll("[data-behaviour]")) {
    if (attached.has(element)) continue;
    attached.add(element);
    BEHAVIOURS[element.dataset.behaviour]?.(element);
  }
}

sheets();
attach();
document.addEventListener("htmx:after:swap", attach);
// Once nothing else is loading; without storage, or in a private window, there is nothing to keep boards in.
globalThis.addEventListener("load", () => keepBoards().catch(() => {}));
