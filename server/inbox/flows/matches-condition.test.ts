import { describe, expect, test } from 'vitest';
import type { FlowCondition } from '#server/inbox/flows/flow.ts';
import { type Begun, matchesCondition } from '#server/inbox/flows/matches-condition.ts';

const ALWAYS: FlowCondition = { channels: [], words: [], emailDomain: null };
const BEGUN: Begun = {
  channel: 'email',
  text: 'Refund for my invoices\nPlease return  the\nmoney.',
  email: 'ada@example.com',
};
const matches = (condition: Partial<FlowCondition>, begun: Partial<Begun> = {}) =>
  matchesCondition({ ...ALWAYS, ...condition }, { ...BEGUN, ...begun });

test('a flow without a condition applies to every new conversation', () => {
  expect(matches({})).toBe(true);
});

test('the channel is one of those given', () => {
  expect(matches({ channels: ['webchat', 'email'] })).toBe(true);
  expect(matches({ channels: ['webchat'] })).toBe(false);
});

describe('words', () => {
  test.each([
    ['refund', true],
    ['INVOICE', true],
    ['return the money', true],
    ['fund', false],
    ['voices', false],
    ['parcel', false],
  ])('%s: %s', (word, found) => {
    expect(matches({ words: ['nowhere', word] })).toBe(found);
  });

  test.each([
    ['İstanbul’a gönderi', 'gönderi', true],
    ['Zurück', 'zuru\u0308ck', true],
    ['これは返金です', '返金', true],
    ['𝒳abc', 'abc', false],
    ['a.refund', 'refund', true],
  ])('are found in any script: %s, %s: %s', (text, word, found) => {
    expect(matches({ words: [word] }, { text })).toBe(found);
  });
});

test('the domain is the whole domain of the contact’s address', () => {
  expect(matches({ emailDomain: 'example.com' })).toBe(true);
  expect(matches({ emailDomain: 'ample.com' })).toBe(false);
  expect(matches({ emailDomain: 'example.com' }, { email: 'ada@mail.example.com' })).toBe(false);
  expect(matches({ emailDomain: 'example.com' }, { email: null })).toBe(false);
});

test('all of a condition has to hold', () => {
  const all: FlowCondition = { channels: ['email'], words: ['refund'], emailDomain: 'example.com' };
  expect(matches(all)).toBe(true);
  expect(matches(all, { channel: 'webchat' })).toBe(false);
  expect(matches(all, { text: 'Hello' })).toBe(false);
  expect(matches(all, { email: 'ada@example.org' })).toBe(false);
});
