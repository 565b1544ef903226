// Shows the time of an attempt between two answers of the server, which owns the clock.

/** 7:42, 1:02:05; templates/macros/time.html writes the same. */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** Run the clock in #status, whichever element htmx has put there; running(): whether the time goes on. */
export function startClock(running, now = () => performance.now()) {
  let status = null;
  let shown = 0;
  let last = now();
  const tick = () => {
    const current = document.getElementById("status");
    if (!current) return;
    const time = now();
    const told = Number(current.dataset.elapsedMs);
    if (current !== status) {
      status = current;
      // An answer is older than its arrival: let the time stand still for a moment rather than run back.
      shown = shown - told > 0 && shown - told < 5000 ? shown : told;
    } else if (running()) {
      shown += time - last;
    }
    last = time;
    const text = clockText(status.dataset.state === "solved" ? told : shown);
    const face = status.querySelector("[data-clock]");
    if (face.textContent !== text) face.textContent = text;
  };
  tick();
  setInterval(tick, 250);
  return { tick, text: () => document.querySelector("#status [data-clock]")?.textContent ?? "" };
}
