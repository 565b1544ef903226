// The device's part: the screen stays on while a board is in play, and a tap of vibration marks what is done.

const IDLE = 5 * 60_000; // ms without a move after which the screen may go off

/** Keep the screen on while game() goes on. */
export function keepAwake(game) {
  let lock = null;
  let [last, at] = [0, 0];
  setInterval(async () => {
    const { seq, paused, solved } = game();
    if (seq !== last) [last, at] = [seq, Date.now()];
    if (document.hidden || paused || solved || Date.now() - at > IDLE) lock?.release();
    else if (!lock || lock.released) lock = await navigator.wakeLock?.request("screen").catch(() => null);
  }, 5000);
}

/** Vibrate, unless less motion is asked for. */
export function buzz(pattern) {
  if (!globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches) globalThis.navigator?.vibrate?.(pattern);
}
