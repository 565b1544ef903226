// The offer to undo goes after ten seconds; a refusal stays until the next word.

const OFFER = 10_000; // ms; webapp/curation/curation.py says the same

export function toast(element) {
  setTimeout(() => element.querySelector("form")?.remove(), OFFER);
}
