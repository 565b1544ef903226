// Doesn't submit a form a second time while it is on its way: two quick clicks would start two games.

const AGAIN = 5000; // ms, since a response may be a file or never come

export function sendOnce() {
  const underWay = new Set();
  document.addEventListener("submit", (event) => {
    const { target } = event;
    if (document.getElementById("proof")) return; // the desk's own dialog sends forms twice (desk.js)
    if (event.defaultPrevented || target.method !== "post" || target.hasAttribute("hx-post")) return;
    if (underWay.has(target)) return event.preventDefault();
    underWay.add(target);
    setTimeout(() => underWay.delete(target), AGAIN);
  });
  globalThis.addEventListener("pageshow", () => underWay.clear());
}
