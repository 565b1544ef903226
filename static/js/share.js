// Shares the result: by the system's share sheet if there is one, else through the clipboard.

export async function share({ phrase, root, say }) {
  const field = root.querySelector("#share-text");
  try {
    if (navigator.share) return await navigator.share({ text: field.value });
    await navigator.clipboard.writeText(field.value);
    root.querySelector("#share").textContent = phrase("copied");
    say(phrase("copied"));
  } catch {
    field.select(); // to be copied by hand
  }
}
