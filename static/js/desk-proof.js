// Asks for password and code on the page where a change needs them, and then sends what was to be sent: a selection, a
// form or a file is not lost.

const ASKED = "Desk-Proof"; // webapp/curation/team/access.py

export function proof(dialog) {
  const form = dialog.querySelector("form");
  const wrong = dialog.querySelector(".field__wrong");
  const proven = new WeakSet(); // forms that are on their way

  function ask() {
    form.reset();
    wrong.textContent = "";
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise((done) => {
      dialog.addEventListener("close", () => done(dialog.returnValue), { once: true });
    });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: "POST", body, headers: { [ASKED]: "given" } });
    if (answer.ok) return dialog.close("proved");
    wrong.textContent = await answer.text();
    form.elements.desk_code.select();
  });

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    const send = ctx.fetch;
    ctx.fetch = async (address, request) => {
      const answer = await send(address, request);
      if (answer.headers.get(ASKED) !== "asked") return answer;
      if (!(await ask())) return new Response(null, { status: 204 });
      return send(address, { ...request, signal: undefined }); // the first one may have timed out meanwhile
    };
  });

  document.addEventListener("submit", async (event) => {
    const { target, submitter } = event;
    if (event.defaultPrevented || !target.matches("[method=post]:not([hx-post])")) return;
    if (proven.delete(target)) return;
    event.preventDefault();
    const { ok } = await fetch(dialog.dataset.fresh, { redirect: "manual" });
    if (!ok && !(await ask())) return;
    proven.add(target);
    target.requestSubmit(submitter);
  });
}
