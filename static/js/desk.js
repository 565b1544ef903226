// The desk's own behaviours: an element names its module in data-desk, "queue" for desk-queue.js and its export queue.

const attached = new WeakSet();

async function attach() {
  for (const element of document.querySelectorAll("[data-desk]")) {
    if (attached.has(element)) continue;
    attached.add(element);
    const { desk } = element.dataset;
    const module = await import(`./desk-${desk}.js`);
    module[desk](element);
  }
}

attach();
document.addEventListener("htmx:after:swap", attach);
