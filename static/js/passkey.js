// Makes a passkey or signs in with one, and sends the form. The button shows where the browser reads options as JSON.
// With `data-suggest`, the browser also offers passkeys where a name is typed.

export function passkey(button) {
  const kind = globalThis.PublicKeyCredential;
  if (!kind?.parseCreationOptionsFromJSON) return;
  const { dataset, form, nextElementSibling: wrong } = button;
  let offered; // what the browser offers now

  async function ask(mediation) {
    offered?.abort();
    const { signal } = (offered = new AbortController());
    const answer = await fetch(dataset.options, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const text = await answer.text();
    if (!answer.ok) return answer.status === 422 ? text : dataset.wrong;
    const options = JSON.parse(text);
    const credential = await (options.user
      ? navigator.credentials.create({ publicKey: kind.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ mediation, signal, publicKey: kind.parseRequestOptionsFromJSON(options) }));
    const field = form.elements[dataset.field];
    field.value = JSON.stringify(credential);
    form.noValidate = true; // of the other fields, only the server knows what is still needed
    form.requestSubmit();
    field.value = "";
    return "";
  }

  button.hidden = false;
  if (dataset.suggest) {
    kind.isConditionalMediationAvailable?.().then((can) => can && ask("conditional")).catch(() => {});
  }
  button.addEventListener("click", async () => {
    button.disabled = true;
    wrong.textContent = await ask().catch(() => dataset.wrong);
    button.disabled = false;
  });
}
