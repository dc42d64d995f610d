import { expect, test } from 'vitest';
import { keyName, SHORTCUTS, shortcutOf } from '#app/components/shell/shortcut-list.ts';

test.each([
  ['j', { kind: 'move', by: 1 }],
  ['ArrowUp', { kind: 'move', by: -1 }],
  ['e', { kind: 'press', target: 'solve' }],
  ['X', { kind: 'press', target: 'clear-selection' }],
  ['?', { kind: 'help' }],
  ['Ctrl+k', { kind: 'menu' }],
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

test.each(['w', 'J', 'Enter', ' ', '1', 'constructor', 'Ctrl+c'])('%j does nothing', (key) => {
  expect(shortcutOf(key, null)).toEqual({ act: null, prefix: null });
});

test('no two shortcuts share a key, and no prefix key has its own shortcut', () => {
  const keys = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts.flatMap((shortcut) => shortcut.keys));
  expect(new Set(keys).size).toBe(keys.length);
  const firsts = keys.filter((key) => key.includes(' ')).map((key) => key.charAt(0));
  expect(keys.filter((key) => firsts.includes(key))).toEqual([]);
});

test('keys are named as on keyboards', () => {
  expect(['j', '/', 'Escape', 'Enter', 'ArrowDown', 'x', 'X', 'Ctrl+k', '⌘k'].map(keyName)).toEqual([
    'J',
    '/',
    'Esc',
    'Enter',
    '↓',
    'X',
    'Shift+X',
    'Ctrl+K',
    '⌘K',
  ]);
});
