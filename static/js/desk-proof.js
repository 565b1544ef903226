// Asks for password and code on the page where a change needs them, and then sends what was to be sent: a selection, a
// form or a file is not lost.

const ASKED = "Desk-Proof"; // webapp/curation/team/access.py
const AGAIN = 10_000; // ms until a form may be sent again: its answer may be a file, or never come

export function proof(dialog) {
  const form = dialog.querySelector("form");
  const wrong = dialog.querySelector(".field__wrong");
  const underWay = new WeakSet(); // forms that were sent, or are about to be: another click sends nothing
  const proven = new WeakSet(); // those of them that go out now

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
    if (underWay.has(target)) return;
    underWay.add(target);
    try {
      const { ok } = await fetch(dialog.dataset.fresh, { redirect: "manual" });
      if (!ok && !(await ask())) return;
      proven.add(target);
      target.requestSubmit(submitter);
      await new Promise((done) => setTimeout(done, AGAIN));
    } finally {
      underWay.delete(target);
    }
  });
}
