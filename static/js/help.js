// Help from the server, a hint or a check: requested by its button, and in a ranked solve only when pressed twice.

/** Press the tool for help. */
export function ask({ root }, what) {
  const form = root.querySelector(`.tools form[data-command=${what}]`);
  form?.requestSubmit(form.querySelector("button"));
}

/** Send the form that asks for help; button: the pressed one. The tool shows a small note again, and then asks for more. */
export function send(state, form, button) {
  const { help, link, phrase, say } = state;
  if (link.game.paused) return say(phrase("paused"));
  if (link.cut) {
    link.reach(false, "helpless");
    return say(phrase(link.outbox.kept ? "helpless" : "helpless-unkept"));
  }
  const note = help.open();
  const more = note && !note.contains(form) && !("played" in note.dataset) && note.querySelector(`form[data-command=${form.dataset.command}]`);
  if (more && help.unfold()) return null;
  return sure(state, form.dataset.command) && help.ask(more || form, more ? more.querySelector("button") : button);
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
