// Makes a passkey or signs in with one, and sends the form. The button shows where the browser reads options as JSON.
// With `data-suggest`, the browser also offers passkeys where a name is typed.

export function passkey(button) {
  const kind = globalThis.PublicKeyCredential;
  if (!kind?.parseCreationOptionsFromJSON) return;
  const { dataset, form, nextElementSibling: wrong } = button;
  const offer = new AbortController(); // of the browser, where a name is typed

  async function ask(mediation) {
    const answer = await fetch(dataset.options, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const text = await answer.text();
    if (!answer.ok) return answer.status === 422 ? text : dataset.wrong;
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
    form.noValidate = true; // of the other fields, only the server knows what is still needed
    form.requestSubmit();
    field.value = "";
    return "";
  }

  button.hidden = false;
  const offered = dataset.suggest && ask(dataset.suggest).catch(() => dataset.wrong); // every browser that gets here can
  button.addEventListener("click", async () => {
    offer.abort();
    button.disabled = true;
    await offered; // its answer would replace the challenge
    wrong.textContent = await ask().catch(() => dataset.wrong);
    button.disabled = false;
  });
}
