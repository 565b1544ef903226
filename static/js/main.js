// Attaches each behaviour to the elements that name it in data-behaviour, now and after htmx has swapped.

import { keepBoards } from "./offline.js";
import { spots } from "./notes.js";
import { play } from "./play.js";
import { settings, sheets } from "./settings.js";
import { moment } from "./time.js";

const print = (button) => button.addEventListener("click", () => globalThis.print());

<<<<<<< HEAD
const BEHAVIOURS = {
  moment, play, print, settings,
<<<<<<< HEAD
  // Needed on few pages, and loaded there.
  countdown: async (element) => (await import("./countdown.js")).countdown(element),
  review: async (element) => (await import("./review.js")).review(element),
=======
>>>>>>> d0c5190 (web: tell the rating of an entered puzzle at once, and take it typed into a board)
};
=======
const BEHAVIOURS = { moment, play, print, settings, spots };
>>>>>>> cfde70b (web: review the path by logic on the board, and what there was to see where you stood still)
const OF_ONE_PAGE = ["entry", "review"];
const attached = new WeakSet();

function attach() {
  for (const element of document.querySelectorAll("[data-behaviour]")) {
    if (attached.has(element)) continue;
    attached.add(element);
    const { behaviour } = element.dataset;
    if (OF_ONE_PAGE.includes(behaviour)) import(`./${behaviour}.js`).then((module) => module[behaviour](element));
    else BEHAVIOURS[behaviour](element);
  }
}

sheets();
attach();
document.addEventListener("htmx:after:swap", attach);
// Once nothing else is loading; without storage, or in a private window, there is nothing to keep boards in.
globalThis.addEventListener("load", () => keepBoards().catch(() => {}));
