// Attaches each behavior to the elements that name it in data-behaviour, now and after each htmx swap.

import { supported } from "./floor.js";
import { paste } from "./clipboard.js";
import { keepBoards, keepLogs, keptGames } from "./offline.js";
import { offerInstall } from "./install.js";
import { spots } from "./notes.js";
import { sendOnce } from "./once.js";
import { play } from "./play.js";
import { settings, sheets } from "./settings.js";
import { make } from "./paint.js";
import { moment } from "./time.js";

// Modules of single pages import these from here, so that their state exists once.
export { CELLS, DIGITS, after, begin, columnOf, conflicts, digitsIn, has, rowOf } from "./fold.js";
export { jump, target } from "./grid.js";
export { alone, commandOf, digitIn, keyed, onGridKeys, onKeys, rove } from "./keys.js";
export { spots } from "./notes.js";
export { pager } from "./pager.js";
export { looks, make, painter } from "./paint.js";
export { request } from "./request.js";
export { remembered } from "./session.js";
export { filled, readPhrases, speaker } from "./speech.js";
export { clockText, stopwatch } from "./time.js";

const BEHAVIOURS = { kept: keptGames, moment, paste, play, settings, spots };
const attached = new WeakSet();

function attach() {
  for (const element of document.querySelectorAll("[data-behaviour]")) {
    if (attached.has(element) && element.tagName !== "TIME") continue; // a morph restores the time as the server writes it
    attached.add(element);
    for (const behaviour of element.dataset.behaviour.split(" ")) {
      // A single page's behavior is a function in a module: "desk.proof" is in desk.js, "lab" in lab.js. Loaded by URL,
      // since esbuild would bundle every module for a template literal path.
      const [file, name = file] = behaviour.split(".");
      if (BEHAVIOURS[file]) BEHAVIOURS[file](element);
      else import(new URL(`${file}.js`, import.meta.url)).then((module) => module[name](element));
    }
  }
}

/** Say why a link or form of htmx failed: in the desk's toast, elsewhere where the response would have been. */
function failed({ detail: { ctx } }) {
  if (!/click|submit/.test(ctx?.sourceEvent?.type)) return; // the page itself has asked
  const words = ctx.words || (ctx.response?.status < 500 ? "" : document.body.dataset.silent);
  if (!words) return; // the response is a part of the page
  const desk = document.querySelector("#toast");
  ctx.swap = "none";
  document.querySelector("#failed")?.remove();
  const told = make("p", desk ? "toast toast--wrong toast__words" : "field__wrong", words);
  told.id = "failed";
  told.role = "alert";
  (desk ?? ctx.target).append(told);
  told.scrollIntoView({ block: "nearest" });
}

function start() {
  sheets();
  offerInstall();
  attach();
  sendOnce();
  document.addEventListener("htmx:after:swap", attach);
  for (const error of ["htmx:response:error", "htmx:error"]) document.addEventListener(error, failed);
  // After everything else has loaded; without storage, or in a private window, boards can't be kept.
  globalThis.addEventListener("load", () => keepBoards().catch(() => {}));
  try {
    keepLogs();
  } catch {
    // Storage is forbidden.
  }
}

if (supported) start();
