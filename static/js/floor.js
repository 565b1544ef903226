// Features that the oldest supported browsers lack (FLOOR in webapp/web/assets.py), and whether this browser is
// supported.

/** In older browsers the page stays as it was sent: links and forms (static/css/web/plain.css). */
export const supported = CSS.supports("width: 1cqw");

// ARIA attributes as properties: Firefox has them since version 119.
for (const name of ["Current", "Disabled", "Invalid", "Pressed"]) {
  const attribute = `aria-${name.toLowerCase()}`;
  if (`aria${name}` in Element.prototype) continue;
  Object.defineProperty(Element.prototype, `aria${name}`, {
    get() {
      return this.getAttribute(attribute);
    },
    set(value) {
      if (value === null) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value);
    },
  });
}
