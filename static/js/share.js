// Shares the result: text and picture by the system's share sheet if there is one, else the text by the clipboard.

export async function share({ phrase, root, say }) {
  const field = root.querySelector("#share-text");
  const button = root.querySelector("#share");
  try {
    if (navigator.share) return await navigator.share(await shared(field.value, button.form.dataset.picture));
    await navigator.clipboard.writeText(field.value);
    button.textContent = phrase("copied");
    say(phrase("copied"));
  } catch ({ name }) {
    if (name === "AbortError") return; // the player thought better of it
    field.closest("details").open = true; // to be copied by hand
    field.select();
  }
}

/** The text, and the picture where the system takes files. */
async function shared(text, address) {
  try {
    const files = [new File([await (await fetch(address)).blob()], "ninefold.png", { type: "image/png" })];
    return navigator.canShare?.({ files }) ? { text, files } : { text };
  } catch {
    return { text };
  }
}
