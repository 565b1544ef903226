// The service worker: keeps the start page as last seen and the boards that this player opened, each page with the files
// it names, so that they can be loaded again, and boards played, without a network. Every other request goes its usual
// way. docs/offline.md tells the whole.

const KEPT = /^\/(attempts\/[\w-]{22})?$/;
const MOST = 20; // boards
const PATIENCE = 5000; // ms for the network where there is a kept page

addEventListener("install", (event) => {
  skipWaiting();
  // Moves pass this worker by: what goes through it can end with the page that sent it, even the last moves of a page.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// A page that was loaded before there was a worker asks to be kept.
addEventListener("message", (event) => {
  if (KEPT.test(event.data)) event.waitUntil(fetch(event.data).then((response) => keep(event.data, response)));
});

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { pathname } = new URL(url); // of this site: its pages ask no other
  if (method !== "GET") return;
  if (pathname.startsWith("/static/")) event.respondWith(file(event.request));
  else if (mode === "navigate" && KEPT.test(pathname)) event.respondWith(page(event, pathname));
});

/** Names carry a hash of what is in them, so a kept file is never old. */
const file = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

const forget = (names) => Promise.all(names.map((name) => caches.delete(name)));

async function page(event, path) {
  const kept = await caches.match(path);
  const timeout = new Promise((_resolve, reject) => kept && setTimeout(reject, PATIENCE));
  try {
    const response = await Promise.race([fetch(event.request), timeout]);
    if (kept && response.status >= 500) return kept;
    event.waitUntil(keep(path, response.clone()));
    return response;
  } catch (error) {
    // It may have been kept since: asked for while a copy is being written, the storage can miss it.
    const found = await caches.match(path);
    if (!found) throw error;
    return found;
  }
}

/**
 * Every page has a cache of its own, named by player, language, time and address and holding all it needs; the newest is the last.
 * What was kept before goes when the new page is in its place, so that there is no moment without one.
 */
async function keep(path, response) {
  const text = await response.text();
  const own = `board:${/data-kept-as="([\w-]*)"/.exec(text)?.[1]}:`;
  const named = async () => (await caches.keys()).filter((name) => name.startsWith(own) && name.endsWith(`:${path}`));
  if (!response.ok || response.redirected) return forget(await named());
  const addresses = [...text.matchAll(/"(\/static\/[^"]+)"/g)].map(([, address]) => address);
  const files = await Promise.all(addresses.map((address) => fetch(address)));
  const headers = new Headers(response.headers);
  headers.delete("Content-Encoding"); // the text is no longer compressed
  const name = `${own}${Date.now()}:${path}`;
  const cache = await caches.open(name);
  await Promise.all(addresses.map((address, index) => cache.put(address, files[index])));
  await cache.put(path, new Response(text.replace("<html", "<html data-kept"), { headers }));
  const before = await named();
  await forget(before.slice(0, Math.max(before.indexOf(name), 0)));
  const boards = (await caches.keys()).filter((key) => !key.endsWith(":/"));
  return forget(boards.slice(0, -MOST));
}
