import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Button } from '#app/components/ui/button.tsx';

it('names a button by what it does, and while it is busy by its words', () => {
  const name = { 'aria-label': 'Look up the record of acme.test' };
  expect(renderToStaticMarkup(createElement(Button, name, 'Look up'))).toContain('aria-label');
  const busy = createElement(Button, { ...name, 'aria-busy': true }, 'Looking up');
  expect(renderToStaticMarkup(busy)).not.toContain('aria-label');
});
