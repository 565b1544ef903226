// Help from the server, a hint or a check: requested by its button, and in a ranked solve only when pressed twice.

/** Press the button for more in the open note, else the tool. */
export function ask({ help, root }, what) {
  const forms = [...root.querySelectorAll(`form[data-command=${what}]`)];
  const form = forms.find((each) => help.open()?.contains(each)) ?? forms[0];
  form?.requestSubmit(form.querySelector("button"));
}

/** Send the form that asks for help; button: the pressed one. */
export function send(state, form, button) {
  const { help, link, phrase, say } = state;
  if (link.game.paused) return say(phrase("paused"));
  if (!link.cut) return sure(state, form.dataset.command) && help.ask(form, button);
  link.reach(false, "helpless");
  return say(phrase("helpless"));
}

/** Whether help may be given: it makes a ranked solve unranked, so there it must be requested twice. */
export function sure(state, what) {
  const { link, phrase, root } = state;
  const yes = state.doubted === what || !("ranked" in root.dataset);
  state.doubted = yes ? "" : what;
  link.tell(yes ? "" : phrase("unranks"));
  if (yes) delete root.dataset.ranked;
  return yes;
}
