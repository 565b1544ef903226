// The wait for the next dailies, by the server's clock: the page says how long it was when it was made, so that a
// browser whose clock is wrong counts right too.

const two = (number) => String(number).padStart(2, "0");

/** 3:12:05, rounded up: at 0:00:00 the day has begun. */
export function waitText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

export function countdown(element) {
  const over = performance.now() + Number(element.dataset.left);
  const at = new Date(element.dateTime).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  const tick = () => {
    const left = over - performance.now();
    const words = { left: waitText(left), at };
    element.textContent = element.dataset.text.replace(/\{(\w+)\}/g, (_whole, name) => words[name]);
    if (left > 0) return setTimeout(tick, left % 1000 || 1000);
    element.nextElementSibling.hidden = false;
    return null;
  };
  tick();
}
