import { expect, test } from 'vitest';
import { snippetOf } from '#server/screens/inbox/snippet.ts';

test('a snippet is the start of a text that matches early', () => {
  expect(snippetOf('The cracked\n hopper', 'cracked')).toBe('The cracked hopper');
});

test('a snippet starts at a word shortly before the first match', () => {
  const text = `${'word '.repeat(500)}the cracked hopper arrived`;
  expect(snippetOf(text, 'hopper')).toMatch(/^… (word |the )*cracked hopper arrived$/);
  expect(snippetOf(text, 'hopper').length).toBeLessThan(60);
  expect(snippetOf('We wondered: an extraordinarily long delivery to Milan', 'milan')).toBe(
    '… delivery to Milan',
  );
});

test('a snippet starts at the match when the text before it has no space', () => {
  expect(snippetOf(`${'x'.repeat(200)}/hopper`, 'hopper')).toBe('… hopper');
});

test('a snippet is at most about 160 characters, and the start of a text without a match', () => {
  expect(snippetOf(`${'a '.repeat(100)}hopper ${'b '.repeat(500)}`, 'hopper').length).toBeLessThan(165);
  expect(snippetOf('x'.repeat(500), 'hopper')).toBe('x'.repeat(140));
});
