// The countdown to the next dailies, by the server's clock: the page contains the remaining time when it was rendered,
// so that a wrong local clock doesn't matter.

import { filled } from "./speech.js";
import { clockText, stopwatch } from "./time.js";

export function countdown(element) {
  const whole = Number(element.dataset.left);
  const gone = stopwatch();
  const at = new Date(element.dateTime).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  const tick = () => {
    if (!element.isConnected) return; // the page has been swapped meanwhile
    const left = whole - gone();
    // Rounded up: at 0:00 the day has begun.
    const seconds = Math.max(0, Math.ceil(left / 1000));
    const hours = Math.floor(seconds / 3600);
    const { long, text } = element.dataset; // while hours remain, hours and minutes are enough
    const words = hours && long
      ? filled(long, { hours, minutes: Math.floor(seconds / 60) % 60 })
      : filled(text, { left: clockText(1000 * seconds), at });
    if (element.textContent !== words) element.textContent = words;
    if (left > 0) setTimeout(tick, left % 1000 || 1000);
    else document.getElementById("countdown-over").hidden = false;
  };
  tick();
}
