"""Clipped text: words that overflow their button, or a container that hides overflow."""

from __future__ import annotations

from playwright.sync_api import Page

_CUT = """() => {
  const wrong = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const elsewhere = ".visually-hidden, [role=grid], svg, select, script, style, template";
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!data.trim() || parentElement.closest(elsewhere)) continue;
    if (!parentElement.checkVisibility({ visibilityProperty: true })) continue;
    range.selectNodeContents(texts.currentNode);
    const { left, right, width } = range.getBoundingClientRect();
    for (let around = parentElement; width && around !== document.body; around = around.parentElement) {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(around);
      if (clipPath === "inset(50%)") break; // it is read out, not shown
      if (["auto", "scroll"].includes(overflowX) || textOverflow === "ellipsis") break;
      const button = around.matches("button, .button");
      if (!button && !["hidden", "clip"].includes(overflowX)) continue;
      const box = around.getBoundingClientRect();
      const inside = button ? 0 : 0.5; // half a pixel is nothing
      if (left < box.left - inside || right > box.right + inside) wrong.push(data.trim());
      break;
    }
  }
  return wrong;
}"""


def cut(page: Page) -> list[str]:
    """Return the clipped words on this page."""
    found: list[str] = page.evaluate(_CUT)
    return found
