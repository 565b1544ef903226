// Asks for password and code on the page when a change needs them, and then sends the interrupted form: no selection,
// input or file is lost.

import { request } from "./request.js";

const ASKED = "Desk-Proof"; // webapp/curation/access.py
const AGAIN = 10_000; // ms until a form may be sent again: its response may be a file, or never come

/** Return the message of an error page, such as when there were too many tries. */
const said = (page) => new DOMParser().parseFromString(page ?? "", "text/html").querySelector(".notice span, .lead")?.textContent.trim();

export function proof(dialog) {
  const form = dialog.querySelector("form");
  const wrong = dialog.querySelector(".field__wrong");
  const underWay = new WeakSet(); // forms being sent: another click sends nothing
  const proven = new WeakSet(); // those of them that are sent now

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
    const silent = () => ({ ok: false, text: "" });
    const answer = await request(form.action, { method: "POST", body, headers: { [ASKED]: "given" } }).catch(silent);
    if (answer.ok) return dialog.close("proved");
    wrong.textContent = answer.status === 422 ? answer.text : said(answer.text) || dialog.dataset.silent;
    form.elements.desk_code.select();
  });

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    const send = ctx.fetch;
    ctx.fetch = async (address, options) => {
      const answer = await send(address, options);
      if (answer.headers.get(ASKED) !== "asked") return answer;
      if (!(await ask())) return new Response(null, { status: 204 });
      return send(address, { ...options, signal: undefined }); // the first one may have timed out meanwhile
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
      const { ok } = await request(dialog.dataset.fresh, { redirect: "manual" }).catch(() => ({ ok: true })); // the form will report it
      if (!ok && !(await ask())) return;
      proven.add(target);
      target.requestSubmit(submitter);
      await new Promise((done) => setTimeout(done, AGAIN));
    } finally {
      underWay.delete(target);
    }
  });
}
