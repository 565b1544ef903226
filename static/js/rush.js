// The keyboard of a rush, where a digit is its button, and its answers: each is resent until the server has responded,
// which counts one answer per question.

import { commandOf } from "./keys.js";
import { request } from "./request.js";

const AGAIN = 1000; // ms

export function rush(root) {
  let asking = false;
  let over = null; // the timer of its end

  /** Retry until there is a response, and show it. */
  async function ask(url, options) {
    if (asking) return;
    asking = true;
    let answer;
    while (!(answer?.status < 500) && root.isConnected) {
      answer = await request(url, { headers: { "HX-Request": "true" }, ...options }).catch(() => null);
      if (!answer || answer.status >= 500) await new Promise((done) => setTimeout(done, AGAIN));
    }
    asking = false;
    if (!root.isConnected) return;
    if (!globalThis.htmx || !answer.text.includes('id="rush"')) return location.reload();
    await globalThis.htmx.swap({ text: answer.text, sourceElement: root, target: root, swap: "outerMorph" });
    wait();
  }

  function wait() {
    clearTimeout(over);
    const { here, left } = root.dataset;
    if (here) over = setTimeout(ask, Number(left), here);
  }

  root.addEventListener("submit", (event) => {
    const { submitter, target } = event;
    if (!target.matches(".rush__keys")) return;
    event.preventDefault();
    ask(target.action, { method: "POST", body: new URLSearchParams(new FormData(target, submitter)) });
  });
  const listen = (event) => {
    if (!root.isConnected) return document.removeEventListener("keydown", listen);
    const [name, digit] = commandOf(event, { letters: false }) ?? [];
    if (name !== "digit" || event.repeat || event.ctrlKey || event.metaKey) return null;
    return root.querySelector(`[name="digit"][value="${digit}"]`)?.click();
  };
  document.addEventListener("keydown", listen);
  wait();
}
