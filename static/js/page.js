// Behaviors of single elements: forms sent again, copied fields, countdowns and polled parts.

import { clockText, filled, stopwatch } from "./main.js";

const SOON = 1500; // ms

export const printer = (button) => button.addEventListener("click", () => globalThis.print());

/** Send a form once more that a busy server has turned away; its fields are in the page, and a button sends them again. */
export function again(form) {
  setTimeout(() => form.isConnected && form.requestSubmit(), SOON * (1 + Math.random()));
}

/** A button copies a field's text and reports it. Without a clipboard, as on plain http, the text is selected. */
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

/**
 * Count down by the server's clock: the page contains the remaining time when it was rendered, so that a wrong local
 * clock doesn't matter.
 */
export function countdown(element) {
  const whole = Number(element.dataset.left);
  const gone = stopwatch();
  const at = new Date(element.dateTime).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  const tick = () => {
    if (!element.isConnected) return; // the page has been swapped meanwhile
    const left = whole - gone();
    // Rounded up: at 0:00 the day has begun.
    const seconds = Math.max(0, Math.ceil(left / 1000));
    const hours = Math.floor(seconds / 3600);
    const { long, text } = element.dataset; // while hours remain, hours and minutes are enough
    const words = hours && long
      ? filled(long, { hours, minutes: Math.floor(seconds / 60) % 60 })
      : filled(text, { left: clockText(1000 * seconds), at });
    if (element.textContent !== words) element.textContent = words;
    if (left > 0) setTimeout(tick, left % 1000 || 1000);
    else document.getElementById("countdown-over").hidden = false;
  };
  tick();
}

const EVERY = 30_000;

/** A part of the page is polled while it requests that and is visible. */
export function refresh(element) {
  const timer = setInterval(() => {
    if (!element.isConnected) clearInterval(timer);
    else if (!document.hidden && element.dataset.open) globalThis.htmx?.trigger(element, "refresh");
  }, EVERY);
}
