import { expect, test } from 'vitest';
import { cx } from '#app/lib/cx.ts';

test('names that a condition switched off are left out', () => {
  expect(cx('grid', false, null, undefined, 'gap-2')).toBe('grid gap-2');
});

test('of two classes that set the same property the later one stays, at each width separately', () => {
  expect(cx('h-9 px-3.5 max-md:h-11', 'px-2.5')).toBe('h-9 max-md:h-11 px-2.5');
  expect(cx('size-8 max-md:size-11', 'size-6 max-md:size-10')).toBe('size-6 max-md:size-10');
  expect(cx('px-4 py-2', 'pl-5')).toBe('px-4 py-2 pl-5');
});

test('our own text size and colours do not displace each other', () => {
  expect(cx('text-list', 'text-ink-soft')).toBe('text-list text-ink-soft');
  expect(cx('text-ink-soft', 'text-list')).toBe('text-ink-soft text-list');
  expect(cx('text-sm text-ink', 'text-list text-on-accent')).toBe('text-list text-on-accent');
});

test('our own utilities stay beside those of Tailwind', () => {
  expect(cx('focus-inset scroll-pane tabular', 'border border-line-control bg-surface')).toBe(
    'focus-inset scroll-pane tabular border border-line-control bg-surface',
  );
});
