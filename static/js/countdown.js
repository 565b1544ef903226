// The wait for the next dailies, by the server's clock: the page says how long it was when it was made, so that a
// browser whose clock is wrong counts right too.

import { filled } from "./speech.js";
import { clockText } from "./time.js";

export function countdown(element) {
  const over = performance.now() + Number(element.dataset.left);
  const at = new Date(element.dateTime).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  const tick = () => {
    const left = over - performance.now();
    // Rounded up: at 0:00 the day has begun.
    element.textContent = filled(element.dataset.text, { left: clockText(1000 * Math.max(0, Math.ceil(left / 1000))), at });
    if (left > 0) return setTimeout(tick, left % 1000 || 1000);
    element.nextElementSibling.hidden = false;
    return null;
  };
  tick();
}
