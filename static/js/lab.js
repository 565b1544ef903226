// The laboratory's panel: arrow keys step while it has the focus, what a step says is spoken, its layout is in sight.

const WAYS = { ArrowLeft: "lab-prev", ArrowRight: "lab-next", Home: "lab-first", End: "lab-last" };
const MOST_WAITING = 3; // keys pressed while a step is on its way; a key held down must not run on

export function lab(panel) {
  const status = document.getElementById("lab-status");
  const waiting = [];
  let busy = false;

  function go() {
    busy = false;
    while (waiting.length && !busy) {
      const link = panel.querySelector(`[data-go="${waiting.shift()}"]`); // none beyond the first and last step
      busy = Boolean(link);
      link?.click();
    }
  }

  function center() {
    const box = panel.querySelector("[data-scrolls]");
    const now = box?.querySelector(".tree__node--now");
    if (!now) return;
    const [outer, inner] = [box, now].map((element) => element.getBoundingClientRect());
    box.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
    box.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
  }

  panel.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    const own = event.target.closest("input, [data-scrolls]");
    if (!way || own || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (waiting.length < MOST_WAITING) waiting.push(way);
    if (!busy) go();
  });
  panel.addEventListener("htmx:after:swap", () => {
    status.textContent = panel.querySelector("#lab-said")?.textContent ?? "";
    center();
    setTimeout(go); // once htmx knows the new links
  });
  for (const failure of ["htmx:error", "htmx:response:error"])
    panel.addEventListener(failure, () => {
      waiting.length = 0;
      busy = false;
    });
  center();
}
