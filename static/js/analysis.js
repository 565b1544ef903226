// The analysis board: keys and clicks lead to the links that are there without JavaScript too, and the answer is morphed
// into the page. What was tried is kept as a tree of links in this tab.

import { jump, target } from "./grid.js";
import { commandOf } from "./keys.js";

const MOST = 500; // states that are kept of one puzzle

export function analysis(root) {
  const tree = () => root.querySelector("#tree");
  const status = document.getElementById("analysis-status");
  const state = () => root.querySelector("#state").dataset;
  const links = () => [...root.querySelectorAll("#board .cell__link")];
  const key = `analysis:${state().givens}`;
  let cursor = Math.max(0, links().findIndex((link) => link.parentElement.hasAttribute("data-selected")));
  const { nodes, current: last } = kept(key);
  let current = last;
  let asked = 0;

  /** Fetch a link of this page and show it; label: what it does, for the tree. */
  async function go(address, { label = "", remember = true } = {}) {
    const number = ++asked;
    const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (number !== asked) return;
    if (!answer?.ok) {
      globalThis.location.assign(address);
      return;
    }
    const text = await answer.text();
    await globalThis.htmx.swap({ text, sourceElement: root, target: root, swap: "innerMorph" });
    again();
    if (remember) history.pushState(null, "", state().link);
    settle(label);
    const told = root.querySelector(".analysis__answer").textContent;
    status.textContent = state().done || label ? `${state().done || label}. ${told}` : told;
  }

  /** What is still being worked out asks again: to htmx it is the part that has asked already. */
  function again() {
    for (const part of root.querySelectorAll("[hx-trigger^=load]")) {
      const fresh = part.cloneNode(true);
      fresh.removeAttribute("data-htmx-powered");
      part.replaceWith(fresh);
      globalThis.htmx.process(fresh);
    }
  }

  /** After each answer: one cell in the tab order, and the state in the tree. */
  function settle(label = "") {
    for (const [cell, link] of links().entries()) link.tabIndex = cell === cursor ? 0 : -1;
    const { link, done } = state();
    if (current < 0 || nodes[current].link !== link) {
      const known = nodes.findIndex((node) => node.link === link);
      if (known < 0 && nodes.length < MOST) nodes.push({ link, label: done || label || tree().dataset.start, parent: current });
      current = known < 0 ? nodes.length - 1 : known;
    }
    keep(key, { nodes, current });
    tree().replaceChildren(...branch(-1));
  }

  /** The list items below a node. */
  function branch(parent) {
    return nodes.flatMap((node, number) => {
      if (node.parent !== parent) return [];
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = node.link;
      link.textContent = node.label;
      link.dataset.node = number;
      if (number === current) link.ariaCurrent = "true";
      item.append(link);
      const below = branch(number);
      if (below.length > 1) {
        const inner = document.createElement("ol");
        inner.append(...below);
        item.append(inner);
        return [item];
      }
      return [item, ...below];
    });
  }

  function move(cell) {
    cursor = cell;
    for (const [number, link] of links().entries()) link.tabIndex = number === cell ? 0 : -1;
    links()[cell].focus();
  }

  function select(cell) {
    move(cell);
    for (const each of root.querySelectorAll("#board [data-selected]")) each.removeAttribute("data-selected");
    links()[cell].parentElement.setAttribute("data-selected", "");
    return go(changed({ cell }), { remember: false });
  }

  /** The address of this state with more parameters. */
  function changed(more) {
    const address = new URL(state().link, globalThis.location);
    for (const [name, value] of Object.entries(more)) address.searchParams.set(name, value);
    return address.href;
  }

  function change(kind, digit) {
    if (links()[cursor].parentElement.hasAttribute("data-given") || "looking" in state()) return;
    go(changed({ [kind]: `${cursor}:${digit}`, cell: cursor }));
  }

  function step(number) {
    if (number < 0) return null;
    current = number;
    return go(nodes[number].link);
  }

  async function follow(link) {
    const { node, label, view } = link.dataset;
    if (node) await step(Number(node));
    else await go(link.href.split("#")[0], { label, remember: view === undefined });
    if (node) root.querySelector("#tree [aria-current]")?.focus();
    else if (document.activeElement === document.body) links()[cursor].focus();
    if (view !== undefined) root.querySelector("#review-board").scrollIntoView({ block: "nearest" });
  }

  const COMMANDS = {
    digit: (digit) => change("place", digit),
    corner: (digit) => change("strike", digit),
    erase: () => {
      const { digit } = links()[cursor].parentElement.dataset;
      if (digit) change("clear", digit);
    },
    move: (where) => move(target(cursor, where)),
    jump: (where) => move(jump(cursor, where, links().map((link) => link.parentElement.dataset.digit))),
    undo: () => step(nodes[current]?.parent ?? -1),
    redo: () => step(nodes.findLastIndex((node) => node.parent === current)),
  };

  root.addEventListener("keydown", (event) => {
    const [name, value] = commandOf(event, { letters: false }) ?? [];
    if (!event.target.closest("#board") || !COMMANDS[name]) return;
    event.preventDefault();
    COMMANDS[name](value);
  });
  root.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const cell = event.target.closest(".cell__link");
    const link = event.target.closest("[data-go], [data-node]");
    if (!cell && !link) return;
    event.preventDefault();
    if (cell) return select(links().indexOf(cell));
    return follow(link);
  });
  globalThis.addEventListener("popstate", () => root.isConnected && go(globalThis.location.href, { remember: false }));
  settle();
}

function kept(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? { nodes: [], current: -1 };
  } catch {
    return { nodes: [], current: -1 }; // no storage: the tree lasts as long as the page
  }
}

function keep(key, tree) {
  try {
    sessionStorage.setItem(key, JSON.stringify(tree));
  } catch {
    // the same
  }
}
