// Times in the reader's words: the running clock of an attempt, and moments in their own zone and language.

import { remembered } from "./session.js";

/** 7:42, 1:02:05; templates/web/macros/time.html writes the same. */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/**
 * Run the clock in #status between two answers of the server, which owns it. running(): whether time goes on. A page kept
 * for offline play is older than the time under `key`.
 */
export function startClock(running, key) {
  let status = null;
  let shown = "kept" in document.documentElement.dataset ? Number(remembered(key)) : 0;
  let last = performance.now();
  const tick = () => {
    const current = document.getElementById("status");
    const told = Number(current.dataset.elapsedMs);
    const time = performance.now();
    // An answer is older than its arrival: rather let the time stand still for a moment than run back.
    if (current !== status) shown = shown > told && (!status || shown < told + 5000) ? shown : told;
    else if (running()) shown += time - last;
    [status, last] = [current, time];
    const face = status.querySelector("[data-clock]");
    const text = clockText(status.dataset.state === "solved" ? told : shown);
    if (face.textContent !== text) face.textContent = text;
    return text;
  };
  tick();
  setInterval(tick, 250);
  globalThis.addEventListener("pagehide", () => remembered(key, shown));
  return tick;
}

/** Write a moment, or the day of it, UTC in the page, as the reader would. */
export function moment(element) {
  const at = new Date(element.dateTime);
  if (Number.isNaN(+at)) return;
  const timeStyle = "day" in element.dataset ? undefined : "short";
  element.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle });
}
