// The service worker: keeps the start page as last seen, the boards that this player opened and the page for times without
// a network, each with the files it names. Without a network kept pages are loaded and played, and every other address is
// answered with that last page. docs/offline.md tells the whole.

const KEPT = /^\/(offline|attempts\/[\w-]{22})?$/;
const OFFLINE = "/offline"; // shown in the place of a page that is not kept
const MOST = 20; // boards
const PATIENCE = 5000; // ms for a response, after which a kept page or a second request takes its place
const LONGEST = 15_000; // ms for a response after that

addEventListener("install", (event) => {
  skipWaiting();
  // Moves bypass this worker: a request that passes through it can end with the page that sent it, even the last moves
  // of a page.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" });
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// A page that was loaded before the worker started asks to be kept.
addEventListener("message", (event) => {
  if (KEPT.test(event.data)) event.waitUntil(ask(event.data).then((response) => keep(event.data, response)));
});

addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { pathname } = new URL(url); // of this site: its pages make no other requests
  if (method !== "GET") return;
  if (pathname.startsWith("/static/")) event.respondWith(file(event.request));
  else if (mode === "navigate" && KEPT.test(pathname)) event.respondWith(page(event, pathname));
  else if (mode === "navigate") event.respondWith(within(LONGEST, fetch(event.request)).catch(offline));
});

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Fetch, a second time if there is no response within PATIENCE, and return the first response. Without "reload" Chromium
 * makes the second request wait for the first.
 */
async function ask(request) {
  const stop = new AbortController();
  const first = fetch(request, { signal: stop.signal });
  const soon = await Promise.race([first, after(PATIENCE)]);
  if (soon) return soon;
  try {
    return await within(LONGEST, Promise.any([first, fetch(request, { cache: "reload", signal: stop.signal })]));
  } catch (error) {
    stop.abort(); // a browser has few connections to a site, and moves would wait for one
    throw error;
  }
}

async function within(ms, answer) {
  const response = await Promise.race([answer, after(ms)]);
  if (!response) throw new Error("timeout");
  return response;
}

/** Whether a response is the requested file, not an error or the sign-in page of a captive portal. */
const sound = ({ headers, ok, redirected }) => ok && !redirected && !/^text\/html/.test(headers.get("Content-Type"));

/** Names carry a hash of their content, so a kept file is never stale. */
async function file(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  return kept && sound(kept) ? kept : ask(request);
}

const forget = (names) => Promise.all(names.map((name) => caches.delete(name)));

async function page(event, path) {
  const kept = await caches.match(path);
  try {
    const response = await (kept ? Promise.race([fetch(event.request), after(PATIENCE)]) : ask(event.request));
    if (kept && !(response?.status < 500)) return kept;
    event.waitUntil(keep(path, response.clone()));
    return response;
  } catch (error) {
    return offline(error, path);
  }
}

/** Return a kept page, or the one shown in its place; without either, throw the error. */
async function offline(error, path = OFFLINE) {
  // It may have been kept since: asked for while a copy is being written, the storage can miss it.
  const found = (await caches.match(path)) ?? (await caches.match(OFFLINE));
  if (!found) throw error;
  return found;
}

/**
 * Every page has a cache of its own, named by player, language, time and address, with all files it needs; the newest
 * is the last. The older cache is deleted once the new one is complete, so that there is always one.
 */
async function keep(path, response) {
  if (response.status >= 500) return null; // says nothing about the page
  const text = await response.text();
  const [, reader] = /data-kept-as="([\w-]*)"/.exec(text) ?? [];
  if (response.ok && reader === undefined) return null; // not from this site
  const own = `board:${reader}:`;
  const named = async () => (await caches.keys()).filter((name) => name.startsWith(own) && name.endsWith(`:${path}`));
  if (!response.ok || response.redirected) return forget(await named());
  const addresses = [...text.matchAll(/"(\/static\/[^"]+)"/g)].map(([, address]) => address);
  const files = await Promise.all(addresses.map(ask));
  if (!files.every(sound)) return null; // keep the older copy
  const headers = new Headers(response.headers);
  headers.delete("Content-Encoding"); // the text is no longer compressed
  const name = `${own}${Date.now()}:${path}`;
  const cache = await caches.open(name);
  await Promise.all(addresses.map((address, index) => cache.put(address, files[index])));
  await cache.put(path, new Response(text.replace("<html", "<html data-kept"), { headers }));
  const before = await named();
  await forget(before.slice(0, Math.max(before.indexOf(name), 0)));
  const boards = (await caches.keys()).filter((key) => key.includes(":/attempts/"));
  return forget(boards.slice(0, -MOST));
}
