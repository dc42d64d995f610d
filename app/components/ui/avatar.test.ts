import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar } from '#app/components/ui/avatar.tsx';

type Props = Parameters<typeof Avatar>[0];

const tintOf = (props: Props) =>
  /tint-\d/.exec(renderToStaticMarkup(createElement(Avatar, props)))?.[0] ?? null;

test('teammates differ in their tints, which are the same in every size', () => {
  const names = ['Olivia Owen', 'Arjun Mehta', 'Amara Diallo', 'Ada Admin', 'Aggie Agent'];
  const tints = names.map((name) => tintOf({ name }));
  expect(tints).not.toContain(null);
  expect(new Set(tints).size).toBeGreaterThan(2);
  expect(names.map((name) => tintOf({ name, size: 'small' }))).toEqual(tints);
});

test('a contact keeps the tint of the id under another name', () => {
  const tint = tintOf({ name: 'Ada', contactId: 'contact-1' });
  expect(tint).not.toBeNull();
  expect(tintOf({ name: 'Ada Lovelace', tone: 'neutral', contactId: 'contact-1' })).toBe(tint);
});

test.each<Props>([
  { name: 'Acme', square: true },
  { name: 'Engines', square: true, tone: 'neutral' },
  { name: 'Unknown contact', tone: 'neutral' },
])('%o has no tint', (props) => {
  expect(tintOf(props)).toBeNull();
});
