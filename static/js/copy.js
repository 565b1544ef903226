// A button that copies a field's text and reports it. Without a clipboard, as on plain http, the text is selected.

export function copy(button) {
  const label = [...button.childNodes];
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      if (!document.execCommand("copy")) return;
    }
    button.focus();
    button.textContent = button.dataset.copied;
    button.nextElementSibling.textContent = button.dataset.copied;
    button.addEventListener("blur", () => {
      button.replaceChildren(...label);
      button.nextElementSibling.textContent = "";
    }, { once: true });
  });
}
