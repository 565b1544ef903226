// Writes moments (UTC in the page) in the reader's own zone and language.

export function dates(element) {
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.valueOf())) return;
  element.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
}
