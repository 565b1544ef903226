// What this tab remembers until it is closed. Without storage, or where it is full, it remembers nothing.

/** The text kept under `key`, or null; with a value, keep that first, or for null forget what was kept. */
export function remembered(key, value) {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else if (value !== undefined) sessionStorage.setItem(key, value);
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
