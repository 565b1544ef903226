// Times in the reader's words: the running clock of an attempt, and times in the local zone and language.

import { remembered } from "./session.js";

/** Format 7:42, 1:02:05; templates/web/macros/time.html renders the same. */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/**
 * Return a function for the ms since now. While the computer sleeps, one of the two clocks stops; which one depends on
 * the system.
 */
export function stopwatch() {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}

export const AWAY = 5 * 60_000; // ms after which a resumed page waits for the player
const ASLEEP = 10_000; // ms between two ticks that show that the computer has slept

/**
 * Run the clock in #status between two responses of the server, which owns it. running(): whether time passes;
 * slept(since): called if the computer has slept meanwhile. A page cached for offline play is older than the time under
 * `key`.
 */
export function startClock(running, key, slept) {
  let status = null;
  let shown = "kept" in document.documentElement.dataset ? Number(remembered(key)) : 0;
  let last = performance.now();
  let awake = Date.now();
  const tick = () => {
    const current = document.getElementById("status");
    const stated = Number(current.dataset.elapsedMs);
    const time = performance.now();
    const since = awake;
    awake = Date.now();
    const gap = awake - since > ASLEEP && !document.hidden;
    if (gap) last = time;
    // A response is older than its arrival: let the time stand still for a moment rather than run back.
    if (current !== status) shown = shown > stated && (!status || shown < stated + 5000) ? shown : stated;
    else if (running()) shown += time - last;
    [status, last] = [current, time];
    const face = status.querySelector("[data-clock]");
    const text = clockText(status.dataset.state === "solved" ? stated : shown);
    if (face.textContent !== text) face.textContent = text;
    if (gap && running()) slept(since);
    return text;
  };
  tick();
  setInterval(tick, 250);
  globalThis.addEventListener("pagehide", () => remembered(key, shown));
  return tick;
}

/** Write a time, or its day, UTC in the page, in the reader's format. */
export function moment(element) {
  const at = new Date(element.dateTime);
  if (Number.isNaN(+at)) return;
  const timeStyle = "day" in element.dataset ? undefined : "short";
  element.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle });
}
