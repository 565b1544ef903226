// Pages use no feature newer than the oldest supported browsers.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";

const ECMA = 2022; // Chrome 112, Firefox 115, Safari 16.4
const root = new URL("../../", import.meta.url);
const { parse } = createRequire(new URL("node_modules/eslint/package.json", root))("espree");
const modules = readdirSync(new URL("static/js/", root)).map((name) => `static/js/${name}`);
const text = (path) => readFileSync(new URL(path, root), "utf8");

for (const path of [...modules, "static/sw.js", "node_modules/htmx.org/dist/htmx.min.js"]) {
  test(`${path} is ECMAScript of that time`, () => {
    parse(text(path), { ecmaVersion: ECMA, sourceType: path.startsWith("static/js") ? "module" : "script" });
  });
}

test("every ARIA property that is used is there in Firefox 115", () => {
  const used = new Set(modules.flatMap((path) => [...text(path).matchAll(/\.aria([A-Z]\w+)/g)].map(([, name]) => name)));
  const [, defined] = /of \[([^\]]+)\]/.exec(text("static/js/floor.js"));
  assert.deepEqual([...used].sort(), defined.match(/\w+/g).sort());
});

test("no method is used that a browser of the floor lacks", () => {
  const newer = /\b(toSorted|toReversed|groupBy|withResolvers|fromAsync|canParse|checkVisibility)\b|AbortSignal\.any|\bSet\(.*\)\.(union|intersection)/;
  for (const path of modules) assert.doesNotMatch(text(path), newer, path);
});
