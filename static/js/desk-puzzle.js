// A puzzle's page by keyboard: arrows step through its solution path, letters decide on it and move to the next
// candidate.

import { onKeys } from "./keys.js";

export function puzzle(page) {
  onKeys(page, { r: () => document.getElementById("reason")?.focus(), k: () => history.back() });
  onKeys(document.getElementById("toast"));
}
