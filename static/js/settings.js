// The player's choices about looks and keys: words such as "theme-dark", kept in the cookie `ui` so that the server
// writes them into the page before the first paint, and in <html data-ui> for style sheets and modules.

const A_YEAR = 31_536_000;
const words = () => (document.documentElement.dataset.ui ?? "").split(" ").filter(Boolean);

/** Return a setting's chosen value, "" for the default. */
export const setting = (name) => words().find((word) => word.startsWith(`${name}-`))?.slice(name.length + 1) ?? "";

function change(name, value) {
  const others = words().filter((word) => !word.startsWith(`${name}-`));
  const all = value ? [...others, `${name}-${value}`] : others;
  document.documentElement.dataset.ui = all.join(" ");
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `ui=${all.join(".")}; Path=/; Max-Age=${A_YEAR}; SameSite=Lax${secure}`;
  document.dispatchEvent(new CustomEvent("setting", { detail: `${name}-${value}` }));
}

/** The sheet of settings: radio buttons named like the setting. */
export function settings(sheet) {
  for (const input of sheet.querySelectorAll("input[type=radio]")) input.checked = setting(input.name) === input.value;
  sheet.addEventListener("change", ({ target }) => change(target.name, target.value));
}

/**
 * Buttons with data-sheet close their dialog and open the one with that id, if any; a click beside a dialog closes it,
 * unless it requires a choice.
 */
export function sheets() {
  document.addEventListener("click", ({ target }) => {
    const opener = target.closest("[data-sheet]");
    if (target.matches("dialog:not([data-stays])") || opener?.closest("dialog")) target.closest("dialog").close();
    if (opener) document.getElementById(opener.dataset.sheet)?.showModal();
  });
}
