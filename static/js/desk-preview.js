// The preview of several decisions at once, in its dialog.

export function preview(form) {
  const dialog = form.closest("dialog");
  if (!dialog) return;
  const close = (event) => {
    event?.preventDefault();
    dialog.close();
  };
  form.querySelector("[data-close]").addEventListener("click", close);
  form.addEventListener("submit", () => {
    form.dataset.sent = "";
    dialog.close();
  });
  // A form that is sent stays until the next preview: htmx drops the answer to one that is gone.
  dialog.addEventListener("close", () => "sent" in form.dataset || form.remove(), { once: true });
}
