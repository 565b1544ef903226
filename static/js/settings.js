// What a player has chosen about the look and the keys: words like "theme-dark", kept in the cookie `ui` so that the
// server writes them into the page before the first paint, and in <html data-ui> for style sheets and modules.

const A_YEAR = 31_536_000;
const words = () => (document.documentElement.dataset.ui ?? "").split(" ").filter(Boolean);

/** The value chosen for a setting, "" for what holds by itself. */
export const chosen = (name) => words().find((word) => word.startsWith(`${name}-`))?.slice(name.length + 1) ?? "";

function choose(name, value) {
  const kept = words().filter((word) => !word.startsWith(`${name}-`));
  const all = value ? [...kept, `${name}-${value}`] : kept;
  document.documentElement.dataset.ui = all.join(" ");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `ui=${all.join(".")}; Path=/; Max-Age=${A_YEAR}; SameSite=Lax${secure}`;
  document.dispatchEvent(new CustomEvent("setting", { detail: { name, value } }));
}

export function settings(dialog) {
  for (const input of dialog.querySelectorAll("input[type=radio]")) input.checked = chosen(input.name) === input.value;
  dialog.addEventListener("change", ({ target }) => choose(target.name, target.value));
}

/** Buttons with data-sheet open the dialog of that id; a click beside it closes it. */
export function sheets() {
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-sheet]");
    if (opener) document.getElementById(opener.dataset.sheet)?.showModal();
    else if (event.target instanceof HTMLDialogElement) event.target.close();
  });
}
