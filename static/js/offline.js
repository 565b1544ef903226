// Has the start page and the boards of this player kept for times without a network (sw.js), and those of any other player
// or language thrown away.

import { whole } from "./outbox.js";

const worker = navigator.serviceWorker;
const early = !worker?.controller; // this page came before there was a worker that could keep it

/** Forget the moves of other players that the server has whole, as after a sign-out. */
export function keepLogs(storage = localStorage, player = document.documentElement.dataset.player) {
  for (const log of whole(storage)) if (log.player !== player) storage.removeItem(log.key);
}

export async function keepBoards() {
  if (!worker) return; // not over https, or switched off
  const own = `board:${document.documentElement.dataset.keptAs}:`;
  for (const name of await caches.keys()) if (!name.startsWith(own)) await caches.delete(name);
  await worker.register("/sw.js");
  // The worker ignores what is not to be kept.
  if (early) (await worker.ready).active.postMessage(location.pathname);
}
