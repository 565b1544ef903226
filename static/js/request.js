// Requests that always end: with a response, or an error after a timeout or when the page has been restored.

const PATIENCE = 8000; // ms

const underWay = new Set(); // aborts each pending request

/** Return an error with the reason of an abort: "TimeoutError", or "AbortError" if the page was restored. */
const given = (name) => new DOMException("no answer", name);

/**
 * Fetch `url` completely: {ok, status, headers, text}, or `body` as a Blob if `as` is "blob". patience: timeout in ms.
 * The race is needed: Firefox never settles a fetch that the back/forward cache has cut off.
 */
export async function request(url, { patience = PATIENCE, as = "text", ...options } = {}) {
  const { promise: ended, stop } = ending();
  const timer = setTimeout(() => stop(given("TimeoutError")), patience);
  underWay.add(stop);
  const controller = new AbortController();
  ended.catch((error) => controller.abort(error));
  const whole = async () => {
    const response = await fetch(url, { ...options, signal: controller.signal });
    const { headers, ok, status } = response;
    return { headers, ok, status, [as]: await response[as]() };
  };
  try {
    return await Promise.race([whole(), ended]);
  } finally {
    clearTimeout(timer);
    underWay.delete(stop);
  }
}

function ending() {
  let stop;
  const promise = new Promise((_resolve, reject) => (stop = reject));
  return { promise, stop };
}

/** Abort every pending request; its sender retries each. */
export function giveUp() {
  for (const stop of underWay) stop(given("AbortError"));
}

// A page restored from the back/forward cache waits for responses that never come.
globalThis.addEventListener?.("pageshow", ({ persisted }) => persisted && giveUp());
