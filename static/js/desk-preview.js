// The preview of several decisions at once, in its dialog.

export function preview(form) {
  const dialog = form.closest("dialog");
  if (!dialog) return;
  const close = (event) => {
    event?.preventDefault();
    dialog.close();
  };
  form.querySelector("[data-close]").addEventListener("click", close);
  form.addEventListener("submit", () => dialog.close());
  dialog.addEventListener("close", () => form.remove(), { once: true });
}
