// The laboratory's panel: the keys of its links work while the focus is in it, but in a field or in a drawing.

export function lab(form) {
  form.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, figure")) return;
    form.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
  });
}
