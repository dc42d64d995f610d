import { expect, test } from 'vitest';
import { keyName, keysOf, SHORTCUTS, shortcutOf } from '#app/components/shell/shortcut-list.ts';

test.each([
  ['j', { kind: 'move', by: 1 }],
  ['ArrowUp', { kind: 'move', by: -1 }],
  ['e', { kind: 'press', target: 'solve' }],
  ['y', { kind: 'press', target: 'send-suggested' }],
  ['X', { kind: 'press', target: 'clear-selection' }],
  ['?', { kind: 'help' }],
  ['Mod+k', { kind: 'menu' }],
])('%s runs %j', (key, act) => {
  expect(shortcutOf(key, null)).toEqual({ act, prefix: null });
});

test('a two-key shortcut runs on its second key', () => {
  expect(shortcutOf('g', null)).toEqual({ act: null, prefix: 'g' });
  expect(shortcutOf('c', 'g')).toEqual({ act: { kind: 'go', href: '/contacts' }, prefix: null });
});

test('a second key without a two-key shortcut runs its own shortcut', () => {
  expect(shortcutOf('e', 'g')).toEqual(shortcutOf('e', null));
  expect(shortcutOf('g', 'g')).toEqual({ act: null, prefix: 'g' });
});

test.each(['q', 'J', 'Enter', ' ', '1', 'constructor', 'Mod+c', ''])('%j does nothing', (key) => {
  expect(shortcutOf(key, null)).toEqual({ act: null, prefix: null });
});

test('a button finds the keys that press it by the first of its names', () => {
  expect(keysOf('spam')).toEqual(['!']);
  expect(keysOf('clear-selection back')).toEqual(['X']);
  expect(keysOf('details')).toEqual([]);
  expect(keysOf(undefined)).toEqual([]);
});

test('no two shortcuts share a key, and no prefix key has its own shortcut', () => {
  const keys = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts.flatMap((shortcut) => shortcut.keys));
  expect(new Set(keys).size).toBe(keys.length);
  const firsts = keys.filter((key) => key.includes(' ')).map((key) => key.charAt(0));
  expect(keys.filter((key) => firsts.includes(key))).toEqual([]);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64)', ['Ctrl+K', 'Ctrl+Shift+Enter']],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', ['⌘K', '⌘Shift+Enter']],
])('keys are named as on the keyboard of the device: %s', (userAgent, combinations) => {
  const names = ['j', '/', 'Escape', 'Enter', 'ArrowDown', 'x', 'X', 'N', 'Mod+k', 'Mod+Shift+Enter'].map(
    (key) => keyName(key, userAgent),
  );
  expect(names).toEqual(['J', '/', 'Esc', 'Enter', '↓', 'X', 'Shift+X', 'Shift+N', ...combinations]);
});
