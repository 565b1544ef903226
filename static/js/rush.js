// The keyboard of a rush: a digit is its button. The rest is a form that htmx sends.

export function rush(root) {
  const listen = (event) => {
    if (!root.isConnected) return document.removeEventListener("keydown", listen);
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
    if (!digit || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return null;
    return root.querySelector(`[name="digit"][value="${digit}"]`)?.click();
  };
  document.addEventListener("keydown", listen);
}
