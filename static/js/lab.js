// The laboratory's panel: its links have keys while the focus is in it, except in a field. A key press
// during a request waits for it, so that no step is skipped. A key held down repeats.

import { keyed } from "./main.js";

export function lab(panel) {
  const waiting = [];
  let busy = false;
  const press = (key) => {
    const link = panel.querySelector(`[data-key="${key}"]`);
    if (!link) return waiting.splice(0);
    busy = true;
    link.click();
  };
  panel.addEventListener("keydown", (event) => {
    const link = keyed(panel, event);
    if (!link) return;
    event.preventDefault();
    if (!busy) press(link.dataset.key);
    else if (!event.repeat) waiting.push(link.dataset.key);
  });
  panel.addEventListener("htmx:finally:request", () => {
    busy = false;
    if (waiting.length) press(waiting.shift());
  });
}
