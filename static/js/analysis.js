// The analysis board: keys and clicks follow the links that also work without JavaScript, and the response is morphed
// into the page. Visited states are kept as a tree of links in this tab.

import { jump, make, onGridKeys, remembered, request, rove, target } from "./main.js";

export function analysis(root) {
  const tree = () => root.querySelector("#tree");
  const status = document.getElementById("analysis-status");
  const state = () => root.querySelector("#state").dataset;
  const links = () => [...root.querySelectorAll("#board .cell__link")];
  const key = `analysis:${state().givens}`;
  const look = (cell) => links()[cell].parentElement.dataset;
  let cursor = Math.max(0, links().findIndex((_link, cell) => "selected" in look(cell)));
  const tried = JSON.parse(remembered(key)) ?? { nodes: [], current: -1 };
  const { nodes } = tried;
  let last = Promise.resolve();

  /** Act after all earlier requests: a link continues from the state it was rendered with, and would undo the rest. */
  const inTurn = (act) => (last = last.then(act, act));

  /** Fetch a link of this page and show it; label: its effect, for the tree. */
  async function go(address, { label = "", remember = true } = {}) {
    const answer = await request(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok) return location.assign(address);
    const { text } = answer;
    await globalThis.htmx.swap({ text, sourceElement: root, target: root, swap: "innerMorph" });
    if (remember) history.pushState(null, "", state().link);
    settle(label);
    const reply = root.querySelector(".analysis__answer").textContent;
    status.textContent = [state().done || label, reply].filter(Boolean).join(". ");
  }

  /** After each response: put one cell in the tab order, and the state in the tree. */
  function settle(label = "") {
    rove(links(), cursor);
    const { link, done } = state();
    if (nodes[tried.current]?.link !== link) {
      let known = nodes.findIndex((node) => node.link === link);
      if (known < 0) known = nodes.push({ link, label: done || label || tree().dataset.start, parent: tried.current }) - 1;
      tried.current = known;
    }
    remembered(key, JSON.stringify(tried));
    tree().replaceChildren(...branch(-1));
  }

  /** Return the list items below a node. */
  function branch(parent) {
    return nodes.flatMap((node, number) => {
      if (node.parent !== parent) return [];
      const link = make("a", "", node.label);
      link.href = node.link;
      link.dataset.node = number;
      if (number === tried.current) link.ariaCurrent = "true";
      const below = branch(number);
      return below.length > 1 ? [make("li", "", link, make("ol", "", ...below))] : [make("li", "", link), ...below];
    });
  }

  function move(cell) {
    cursor = cell;
    rove(links(), cell);
    links()[cell].focus();
  }

  /** Return the address of this state with more parameters. */
  function changed(more) {
    const address = new URL(state().link, location);
    for (const [name, value] of Object.entries(more)) address.searchParams.set(name, value);
    return address.href;
  }

  function change(kind, digit) {
    const cell = cursor;
    inTurn(() => "given" in look(cell) || "looking" in state() || go(changed({ [kind]: `${cell}:${digit}`, cell })));
  }

  function step(number) {
    if (number < 0) return null;
    tried.current = number;
    return go(nodes[number].link);
  }

  async function follow(link) {
    const { node, label, view } = link.dataset;
    if (node) {
      await step(Number(node));
      tree().querySelector("[aria-current]")?.focus();
    } else {
      await go(link.href.split("#")[0], { label, remember: view === undefined });
      if (document.activeElement === document.body) links()[cursor].focus();
    }
    if (view !== undefined) root.querySelector("#review-board").scrollIntoView({ block: "nearest" });
  }

  const COMMANDS = {
    digit: (digit) => change("place", digit),
    corner: (digit) => change("strike", digit),
    erase: () => look(cursor).digit && change("clear", look(cursor).digit),
    move: (where) => move(target(cursor, where)),
    jump: (where) => move(jump(cursor, where, links().map((_link, cell) => look(cell).digit))),
    undo: () => inTurn(() => step(nodes[tried.current]?.parent ?? -1)),
    redo: () => inTurn(() => step(nodes.findLastIndex((node) => node.parent === tried.current))),
  };

  onGridKeys(root, COMMANDS);
  root.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const cell = event.target.closest(".cell__link");
    const link = event.target.closest("[data-go], [data-node]");
    if (!cell && !link) return;
    event.preventDefault();
    if (!cell) return inTurn(() => follow(link));
    const chosen = links().indexOf(cell);
    move(chosen);
    return inTurn(() => chosen === cursor && go(changed({ cell: chosen }), { remember: false }));
  });
  // A step requested before the steps were ready is shown as soon as they are.
  document.addEventListener("htmx:after:swap", () => {
    if (!root.querySelector("#steps [hx-trigger]")) inTurn(() => state().asked && go(state().asked, { remember: false }));
  });
  globalThis.addEventListener("popstate", () => inTurn(() => go(location.href, { remember: false })));
  settle();
}
