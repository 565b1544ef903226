// This tab's storage until it is closed. Without storage, or if it is full, it stores nothing.

/** Return the text stored under `key`, or null; with a value, store that first, or for null delete the entry. */
export function remembered(key, value) {
  try {
    if (value === null) sessionStorage.removeItem(key);
    else if (value !== undefined) sessionStorage.setItem(key, value);
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
