// The rules of `make lint` for our JavaScript: ESLint's recommended ones, and rules that keep a name to one meaning.
// The file is here, not under static/, because everything under static/ is served.

import js from "@eslint/js";
import globals from "globals"; // the names that browsers, workers and Node.js define

// webapp/web/assets.py joins the modules into one scope, where such a name would hide the browser's own from all of
// them.
const TAKEN = Object.keys(globals.browser).filter((name) => /^[a-z]\w*$/.test(name)).join("|");
const DECLARED = ":matches(Program, Program > ExportNamedDeclaration) >";
const OWN_NAMES = ["FunctionDeclaration", "VariableDeclaration > VariableDeclarator"].map((declaration) => ({
  selector: `${DECLARED} ${declaration}[id.name=/^(${TAKEN})$/]`,
  message: "The browser has a global of this name.",
}));

// Text becomes an element's text, never markup. Fragments of pages are the server's, which escapes them.
const NO_MARKUP = [
  "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]",
  "CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTMLUnsafe)$/]",
].map((selector) => ({ selector, message: "Build elements, or set textContent." }));

const STRICT = {
  "array-callback-return": "error",
  curly: ["error", "multi-line"],
  "default-case-last": "error",
  eqeqeq: "error",
  "logical-assignment-operators": "error",
  "no-caller": "error",
  "no-eval": "error",
  "no-extend-native": "error",
  "no-implicit-globals": "error",
  "no-implied-eval": "error",
  "no-param-reassign": "error",
  "no-return-assign": ["error", "except-parens"],
  "no-self-compare": "error",
  "no-shadow": "error",
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-unneeded-ternary": "error",
  "no-unused-expressions": "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
  "no-use-before-define": ["error", { functions: false, variables: false }],
  "no-useless-computed-key": "error",
  "no-useless-rename": "error",
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-arrow-callback": "error",
  "prefer-const": "error",
  "prefer-object-has-own": "error",
  "prefer-promise-reject-errors": "error",
  "prefer-rest-params": "error",
  "prefer-spread": "error",
  "prefer-template": "error",
  radix: "error",
};

export default [
  {
    languageOptions: { ecmaVersion: 2024 },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: { ...js.configs.recommended.rules, ...STRICT },
  },
  {
    files: ["static/js/**"],
    languageOptions: { globals: globals.browser },
    rules: { "no-restricted-syntax": ["error", ...OWN_NAMES, ...NO_MARKUP] },
  },
  {
    // A service worker is a script with a global scope of its own, so its declarations are visible nowhere else.
    files: ["static/sw.js"],
    languageOptions: { sourceType: "script", globals: globals.serviceworker },
    rules: { "no-implicit-globals": "off" },
  },
  { files: ["tests/js/**"], languageOptions: { globals: globals.nodeBuiltin } },
  { files: ["tests/browser/**"], languageOptions: { sourceType: "script", globals: globals.browser } },
];
