// Sends a form once more that a busy server has turned away; its fields are in the page, and a button sends them again.

const SOON = 1500; // ms

export function again(form) {
  setTimeout(() => form.isConnected && form.requestSubmit(), SOON * (1 + Math.random()));
}
