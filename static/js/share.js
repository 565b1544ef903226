// Shares the result: text and picture by the system's share sheet if there is one, else the text by the clipboard.

import { request } from "./request.js";

export async function share({ phrase, root, say }) {
  const field = root.querySelector("#share-text");
  const button = root.querySelector("#share");
  try {
    if (navigator.share) return await navigator.share(await shared(field.value, button.form.dataset.picture));
    await navigator.clipboard.writeText(field.value);
    button.textContent = phrase("copied");
    say(phrase("copied"));
  } catch ({ name }) {
    if (name === "AbortError") return; // the player canceled
    field.closest("details").open = true; // to copy manually
    field.select();
  }
}

/** Return the text, and the picture if the system accepts files. */
async function shared(text, address) {
  try {
    const { blob, ok } = await request(address, { as: "blob" });
    if (!ok) return { text };
    const files = [new File([blob], "ninefold.png", { type: "image/png" })];
    return navigator.canShare?.({ files }) ? { text, files } : { text };
  } catch {
    return { text };
  }
}
