import { describe, expect, test } from 'vitest';
import type { FlowCondition } from '#server/inbox/flows/flow.ts';
import {
  type ConversationText,
  matchesCondition,
  matchesState,
} from '#server/inbox/flows/matches-condition.ts';

const ALWAYS: FlowCondition = { channels: [], words: [], emailDomain: null, statuses: [], tags: [] };
const CONVERSATION: ConversationText = {
  channel: 'email',
  text: 'Refund for my invoices\nPlease return  the\nmoney.',
  email: 'ada@example.com',
};
const matches = (condition: Partial<FlowCondition>, conversation: Partial<ConversationText> = {}) =>
  matchesCondition({ ...ALWAYS, ...condition }, { ...CONVERSATION, ...conversation });

test('a flow without a condition applies to every new conversation', () => {
  expect(matches({})).toBe(true);
});

test('the channel must be one of the listed channels', () => {
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
  ])('in any script: %s, %s: %s', (text, word, found) => {
    expect(matches({ words: [word] }, { text })).toBe(found);
  });
});

test('the domain must equal the complete domain of the contact’s address', () => {
  expect(matches({ emailDomain: 'example.com' })).toBe(true);
  expect(matches({ emailDomain: 'ample.com' })).toBe(false);
  expect(matches({ emailDomain: 'example.com' }, { email: 'ada@mail.example.com' })).toBe(false);
  expect(matches({ emailDomain: 'example.com' }, { email: null })).toBe(false);
});

test('all fields of a condition must match', () => {
  const all = { channels: ['email' as const], words: ['refund'], emailDomain: 'example.com' };
  expect(matches(all)).toBe(true);
  expect(matches(all, { channel: 'webchat' })).toBe(false);
  expect(matches(all, { text: 'Hello' })).toBe(false);
  expect(matches(all, { email: 'ada@example.org' })).toBe(false);
});

test('the status and a tag must be among the listed ones, whatever the case of the tag', () => {
  const state = { status: 'pending' as const, tags: ['VIP', 'refund'] };
  expect(matchesState(ALWAYS, state)).toBe(true);
  expect(matchesState({ ...ALWAYS, statuses: ['open', 'pending'], tags: ['vip', 'x'] }, state)).toBe(true);
  expect(matchesState({ ...ALWAYS, statuses: ['open'] }, state)).toBe(false);
  expect(matchesState({ ...ALWAYS, tags: ['refunds'] }, state)).toBe(false);
});

test('a domain that was typed in Unicode is the one that addresses have in ASCII', () => {
  const email = 'ada@xn--mller-kva.example';
  expect(matches({ emailDomain: 'müller.example' }, { email })).toBe(true);
  expect(matches({ emailDomain: 'xn--mller-kva.example' }, { email })).toBe(true);
  expect(matches({ emailDomain: 'moller.example' }, { email })).toBe(false);
});
