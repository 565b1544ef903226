// Attaches each behaviour to the elements that name it in data-behaviour, now and after htmx has swapped.

import { play } from "./play.js";
import { review } from "./review.js";
import { settings, sheets } from "./settings.js";
import { moment } from "./time.js";

const print = (button) => button.addEventListener("click", () => globalThis.print());

const BEHAVIOURS = { moment, play, print, review, settings };
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
