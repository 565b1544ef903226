// Has the start page and the boards of this player kept for times without a network (sw.js), those of any other player or
// language thrown away, and lists the games that can still be played.

import { whole } from "./outbox.js";

const worker = navigator.serviceWorker;
const early = !worker?.controller; // the page was loaded before the worker could cache it

/** Delete other players' moves that the server has acknowledged, as after a sign-out. */
export function keepLogs(storage = localStorage, player = document.documentElement.dataset.player) {
  for (const log of whole(storage)) if (log.player !== player) storage.removeItem(log.key);
}

export async function keepBoards() {
  if (!worker) return; // not over HTTPS, or disabled
  const own = `board:${document.documentElement.dataset.keptAs}:`;
  for (const name of await caches.keys()) if (!name.startsWith(own)) await caches.delete(name);
  await worker.register("/sw.js");
  // The worker ignores other paths. Another reader's pages were just deleted, so these are fetched again.
  const wanted = new Set(early ? [location.pathname] : []);
  for (const path of ["/", "/offline"]) if (!(await caches.match(path))) wanted.add(path);
  const { active } = await worker.ready;
  for (const path of wanted) active.postMessage(path);
}

/** List the unfinished games that this browser keeps, the one opened last first; list: filled from its template. */
export async function keptGames(list) {
  const names = (await caches.keys()).filter((name) => name.includes(":/attempts/")).reverse();
  for (const name of names) {
    const path = name.slice(name.indexOf("/"));
    const text = await (await caches.match(path))?.text();
    const page = new DOMParser().parseFromString(text ?? "", "text/html");
    if (!page.querySelector('#board[data-state="playing"]')) continue;
    const row = list.querySelector("template").content.cloneNode(true);
    row.querySelector("a").href = path;
    row.querySelector("[data-title]").textContent = page.querySelector("#puzzle-title").textContent;
    list.append(row);
  }
  document.querySelector("#no-games").hidden = list.children.length > 1; // besides the template
}
