// The undo button disappears after ten seconds; an error stays until the next message.

const OFFER = 10_000; // ms; as in webapp/curation/curation.py

export function toast(element) {
  setTimeout(() => element.querySelector("form")?.remove(), OFFER);
}
