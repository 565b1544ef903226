// Creates a passkey or signs in with one, and submits the form. The button shows if the browser parses options as JSON.
// With `data-suggest`, the browser also offers passkeys in the name field.

import { request } from "./request.js";

export function passkey(button) {
  const kind = globalThis.PublicKeyCredential;
  if (!kind?.parseCreationOptionsFromJSON) return;
  const { dataset, form, nextElementSibling: wrong } = button;
  const offer = new AbortController(); // of the browser, in the name field

  async function ask(mediation) {
    const { ok, status, text } = await request(dataset.options, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (!ok) return status === 422 ? text : dataset.wrong;
    const options = JSON.parse(text);
    const credential = await (options.user
      ? navigator.credentials.create({ publicKey: kind.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({
          publicKey: kind.parseRequestOptionsFromJSON(options),
          mediation,
          signal: mediation && offer.signal,
        }));
    const field = form.elements[dataset.field];
    field.value = JSON.stringify(credential);
    form.noValidate = true; // only the server knows which other fields are still required
    form.requestSubmit();
    field.value = "";
    return "";
  }

  button.hidden = false;
  const offered = dataset.suggest && ask(dataset.suggest).catch(() => dataset.wrong); // supported by every browser that gets here
  button.addEventListener("click", async () => {
    offer.abort();
    button.disabled = true;
    await offered; // its response would replace the challenge
    wrong.textContent = await ask().catch(() => dataset.wrong);
    button.disabled = false;
  });
}
