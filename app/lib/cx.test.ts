import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buttonClass } from '#app/components/ui/button.tsx';
import { cx } from '#app/lib/cx.ts';

test('what a condition switched off is left out', () => {
  expect(cx('grid', false, null, undefined, '', 'gap-2')).toBe('grid gap-2');
});

test('a part that takes further classes names its own look, and they follow', () => {
  expect(buttonClass('quiet', 'px-2.5')).toBe('button button-quiet px-2.5');
});

test('the look of such parts lies below the utilities, which so win', () => {
  const css = readFileSync('app/globals.css', 'utf8');
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
