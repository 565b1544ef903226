// A part of the page that is fetched anew now and then, while it still asks for it and somebody can see it.

const EVERY = 30_000;

export function refresh(element) {
  const timer = setInterval(() => {
    if (!element.isConnected) clearInterval(timer);
    else if (!document.hidden && element.dataset.open) globalThis.htmx?.trigger(element, "refresh");
  }, EVERY);
}
