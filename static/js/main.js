// Attaches each behaviour to the elements that name it in data-behaviour, now and after htmx has swapped.

import { keepBoards, keepLogs } from "./offline.js";
import { offerInstall } from "./install.js";
import { spots } from "./notes.js";
import { play } from "./play.js";
import { settings, sheets } from "./settings.js";
import { moment } from "./time.js";

const printer = (button) => button.addEventListener("click", () => globalThis.print());

const BEHAVIOURS = { moment, play, print: printer, settings, spots };
const attached = new WeakSet();

function attach() {
  for (const element of document.querySelectorAll("[data-behaviour]")) {
    if (attached.has(element)) continue;
    attached.add(element);
    for (const behaviour of element.dataset.behaviour.split(" ")) {
      // That of a single page is the one export of a module of that name. As a URL, since a path in a template would
      // make esbuild take in every module.
      if (BEHAVIOURS[behaviour]) BEHAVIOURS[behaviour](element);
      else import(new URL(`${behaviour}.js`, import.meta.url)).then((module) => Object.values(module)[0](element));
    }
  }
}

sheets();
offerInstall();
attach();
document.addEventListener("htmx:after:swap", attach);
// Once nothing else is loading; without storage, or in a private window, there is nothing to keep boards in.
globalThis.addEventListener("load", () => keepBoards().catch(() => {}));
try {
  keepLogs();
} catch {
  // Storage that is forbidden keeps nothing.
}
