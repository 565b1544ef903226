// The offer to undo goes after ten seconds; a refusal stays until the next word.

const OFFER = 10_000; // ms; webapp/curation/curation.py says the same

export function toast(element) {
  const undo = element.querySelector("form");
  if (undo) setTimeout(() => undo.remove(), OFFER);
  document.getElementById("undo")?.addEventListener("submit", () => element.classList.add("toast--gone"));
}
