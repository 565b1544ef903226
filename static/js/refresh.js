// A part of the page that is polled while it requests that and is visible.

const EVERY = 30_000;

export function refresh(element) {
  const timer = setInterval(() => {
    if (!element.isConnected) clearInterval(timer);
    else if (!document.hidden && element.dataset.open) globalThis.htmx?.trigger(element, "refresh");
  }, EVERY);
}
