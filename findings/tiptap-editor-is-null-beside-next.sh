#!/usr/bin/env bash
# Subject:     `useEditor` of TipTap in code that only the browser runs, on a page of Next.js
# Versions:    @tiptap/react, @tiptap/pm and @tiptap/starter-kit 3.35.0, react and react-dom 19.3.1, jsdom 31.0.1, Node.js 24
# Expectation: the first render gets an editor: the declared result is `Editor`, and `Editor | null` only with `immediatelyRender: false`.
# Behaviour:   where the page has `window.next`, as each page of Next.js, the first render gets null. Only a development build warns.
#              A component that is never rendered on the server, and so cannot differ from it, fails in production. With
#              `immediatelyRender: true` the editor is there.
# Seen on 29 November 2026:
#              another page: editor
#              a page of Next.js: null
#              a page of Next.js, immediatelyRender: true: editor
set -eu
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts @tiptap/react@3.35.0 @tiptap/pm@3.35.0 @tiptap/starter-kit@3.35.0 \
  react@19.3.1 react-dom@19.3.1 jsdom@31.0.1 >> npm.log
cat > render.mjs <<'JS'
import { JSDOM } from 'jsdom';

const [page, isNext, options] = JSON.parse(process.argv[2]);
const { window } = new JSDOM('<div></div>');
if (isNext) window.next = { version: '16' };
for (const name of ['document', 'Node', 'Element', 'HTMLElement', 'MutationObserver', 'getComputedStyle']) {
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
}
globalThis.window = window;
const { createElement } = await import('react');
const { createRoot } = await import('react-dom/client');
const { useEditor } = await import('@tiptap/react');
const { StarterKit } = await import('@tiptap/starter-kit');
const first = await new Promise((resolve) => {
  function Box() {
    const editor = useEditor({ extensions: [StarterKit], ...options });
    resolve(editor);
    return null;
  }
  createRoot(window.document.querySelector('div')).render(createElement(Box));
  setTimeout(() => resolve(undefined), 10_000);
});
console.log(`${page}: ${first === null ? 'null' : first ? 'editor' : 'not rendered'}`);
process.exit(0);
JS
export NODE_ENV=production
{
  node render.mjs '["another page", false, {}]'
  node render.mjs '["a page of Next.js", true, {}]'
  node render.mjs '["a page of Next.js, immediatelyRender: true", true, {"immediatelyRender": true}]'
} | tee seen
[ "$(cat seen)" = "$(sed -n 's/^#              \(another page:\|a page of\)/\1/p' "$script")" ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
