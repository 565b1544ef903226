// Offers to install the site as an app, if the browser can.

export function offerInstall() {
  const button = document.querySelector("[data-install]");
  globalThis.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    button.hidden = false;
    button.onclick = () => event.prompt();
  });
  globalThis.addEventListener("appinstalled", () => (button.hidden = true));
}
