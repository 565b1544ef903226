// The wait for the next dailies, by the server's clock: the page says how long it was when it was made, so that a
// browser whose clock is wrong counts right too.

import { filled } from "./speech.js";
import { clockText } from "./time.js";

export function countdown(element) {
  const over = performance.now() + Number(element.dataset.left);
  const at = new Date(element.dateTime).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  const tick = () => {
    if (!element.isConnected) return; // the page has been swapped meanwhile
    const left = over - performance.now();
    // Rounded up: at 0:00 the day has begun.
    const seconds = Math.max(0, Math.ceil(left / 1000));
    const hours = Math.floor(seconds / 3600);
    const { long, text } = element.dataset; // hours and minutes are enough while there are hours
    const words = hours && long
      ? filled(long, { hours, minutes: Math.floor(seconds / 60) % 60 })
      : filled(text, { left: clockText(1000 * seconds), at });
    if (element.textContent !== words) element.textContent = words;
    if (left > 0) setTimeout(tick, left % 1000 || 1000);
    else document.getElementById("countdown-over").hidden = false;
  };
  tick();
}
