import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buttonClass } from '#app/components/ui/button.tsx';
import { cx } from '#app/lib/cx.ts';

test('omits falsy names', () => {
  expect(cx('grid', false, null, undefined, '', 'gap-2')).toBe('grid gap-2');
});

test('appends extra classes after the class of the component', () => {
  expect(buttonClass('quiet', 'px-2.5')).toBe('button button-quiet px-2.5');
});

test('component classes are in the components layer, so that utilities override them', () => {
  const css = ['app/globals.css', 'app/conversation-rows.css']
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const outside = css.replaceAll(/@layer components \{[\s\S]*?\n\}/g, '');
  for (const part of [
    'button',
    'icon-button',
    'control',
    'skeleton',
    'head-cell',
    'popover',
    'menu',
    'row',
  ]) {
    expect(css).toContain(`  .${part} {`);
    expect(outside).not.toContain(`.${part} {`);
  }
});
