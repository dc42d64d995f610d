import { createElement, Fragment } from 'react';
import { Code } from '#app/components/docs/code.tsx';

/** A sentence of the document: text between backticks is code. */
export function Words({ children }: { children: string }) {
  // Every second part stood between backticks. Spread, as parts of a fixed sentence need no keys.
  const parts = children.split('`').map((part, at) => (at % 2 ? createElement(Code, null, part) : part));
  return createElement(Fragment, null, ...parts);
}
