import { createElement, Fragment } from 'react';

/** The key of each line of JSON that has one; splitting by it keeps the keys. */
const KEYS = /^( *"(?:[^"\\\n]|\\.)*")(?=:)/m;

/** JSON with its keys set apart. */
export function JsonText({ text }: { text: string }) {
  // Every second part is a key. Spread, as parts of a fixed text need no keys of React's.
  const parts = text
    .split(KEYS)
    .map((part, at) => (at % 2 ? createElement('span', { className: 'text-accent-ink' }, part) : part));
  return createElement(Fragment, null, ...parts);
}
