// Attaches each behaviour to the elements that name it in data-behaviour, now and after htmx has swapped.

import { dates } from "./dates.js";
import { play } from "./play.js";
import { settings, sheets } from "./settings.js";

const BEHAVIOURS = { dates, play, settings };
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
