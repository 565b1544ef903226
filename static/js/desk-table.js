// The drawing table by keyboard and clicks: both follow the links that also work without JavaScript, and the response
// is morphed into the page. Every sketch has an address; earlier ones are in the browser's history.

import { jump, target } from "./grid.js";
import { alone, onGridKeys, rove } from "./keys.js";
import { request } from "./request.js";

export function table(root) {
  const status = document.getElementById("table-status");
  const state = () => root.querySelector("#state").dataset;
  const links = () => [...root.querySelectorAll("#board .cell__link")];
  const look = (cell) => links()[cell].parentElement.dataset;
  let cursor = Math.max(0, links().findIndex((_link, cell) => "selected" in look(cell)));
  const trail = [state().link];
  let at = 0;
  let asked = 0;

  /** Fetch a link of this page and show it. */
  async function go(address) {
    const number = ++asked;
    const answer = await request(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (number !== asked) return;
    if (!answer?.ok) return location.assign(address);
    const { text } = answer;
    await globalThis.htmx.swap({ text, sourceElement: root, target: root, swap: "innerMorph" });
  }

  /** After each response: update the tab order, the address, and the way back. */
  function settle() {
    rove(links(), cursor);
    const { link } = state();
    if (trail[at] !== link) trail.splice(++at, trail.length, link);
    history.replaceState(null, "", link);
    status.textContent = root.querySelector(".table__answer").textContent;
  }

  function changed(more, link = state().link) {
    const address = new URL(link, location);
    for (const [name, value] of Object.entries({ cell: cursor, ...more })) address.searchParams.set(name, value);
    return address.href;
  }

  function move(cell) {
    cursor = cell;
    rove(links(), cell);
    links()[cell].focus();
    go(changed());
  }

  function back(by) {
    if (!trail[at + by]) return;
    at += by;
    go(changed({}, trail[at]));
  }

  onGridKeys(root, {
    digit: (digit) => "looking" in state() || go(changed({ set: `${cursor}:${digit}` })),
    erase: () => go(changed({ set: `${cursor}:0` })),
    move: (where) => move(target(cursor, where)),
    jump: (where) => move(jump(cursor, where, links().map((_link, cell) => look(cell).digit))),
    undo: () => back(-1),
    redo: () => back(1),
  });
  root.addEventListener("keydown", (event) => {
    const name = { l: "lock", s: "mark" }[event.key];
    if (!name || !alone(event) || !event.target.closest("[role=grid]")) return;
    event.preventDefault();
    go(changed({ [name]: cursor }));
  });
  root.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const cell = event.target.closest(".cell__link");
    const link = event.target.closest("[data-go]");
    if (!cell && !link) return;
    event.preventDefault();
    if (cell) move(links().indexOf(cell));
    else go(link.href);
  });
  document.addEventListener("htmx:after:swap", () => {
    if (root.isConnected) settle();
  });
  settle();
}
