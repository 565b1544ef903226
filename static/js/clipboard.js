// Copies the board as 81 characters, and takes a pasted puzzle to the page for one's own.

const TYPING = "input, select, textarea, [contenteditable]";
const FEWEST = 17; // givens of a puzzle with one solution

/** Put the digits of the board on the clipboard unless text is selected. */
export function copies({ link, phrase, say }) {
  document.addEventListener("copy", (event) => {
    if (!document.getSelection().isCollapsed || event.target.closest?.(TYPING)) return;
    event.clipboardData.setData("text/plain", [...link.game.board.digits].map((digit) => digit || ".").join(""));
    event.preventDefault();
    say(phrase("copied"));
  });
}

/** Whether a text could be a puzzle: the server reads it. */
export const likely = (text) => text.length >= 81 && (text.match(/[1-9]/g)?.length ?? 0) >= FEWEST;

/** Open a pasted puzzle at the address in data-enter. */
export function paste({ dataset }) {
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain").trim().slice(0, 2000);
    if (event.target.closest?.(TYPING) || !likely(text)) return;
    event.preventDefault();
    location.assign(`${dataset.enter}?${new URLSearchParams({ grid: text })}`);
  });
}
