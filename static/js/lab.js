// The laboratory's panel: the keys of its links work while the focus is in it, but in a field or in a drawing.

import { keyed } from "./keys.js";

export function lab(panel) {
  panel.addEventListener("keydown", (event) => {
    if (!event.target.matches("figure")) keyed(panel, event)?.click();
  });
}
