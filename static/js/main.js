// Attaches each behaviour to the elements that name it in data-behaviour, now and after htmx has swapped.

import { keepBoards } from "./offline.js";
import { offerInstall } from "./install.js";
import { spots } from "./notes.js";
import { play } from "./play.js";
import { settings, sheets } from "./settings.js";
import { moment } from "./time.js";

const printer = (button) => button.addEventListener("click", () => globalThis.print());

const BEHAVIOURS = { moment, play, print: printer, settings, spots };
const OF_ONE_PAGE = ["copy", "countdown", "entry", "first", "lab", "mark", "refresh", "review"]; // imported there
const attached = new WeakSet();

function attach() {
  for (const element of document.querySelectorAll("[data-behaviour]")) {
    if (attached.has(element)) continue;
    attached.add(element);
    const { behaviour } = element.dataset;
    // As a URL, since a path in a template would make esbuild take in every module.
    const other = new URL(`${behaviour}.js`, import.meta.url).href;
    if (OF_ONE_PAGE.includes(behaviour)) import(other).then((module) => module[behaviour](element));
    else BEHAVIOURS[behaviour](element);
  }
}

sheets();
offerInstall();
attach();
document.addEventListener("htmx:after:swap", attach);
// Once nothing else is loading; without storage, or in a private window, there is nothing to keep boards in.
globalThis.addEventListener("load", () => keepBoards().catch(() => {}));
