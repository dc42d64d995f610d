import { describe, expect } from 'vitest';
import { EVENT_KEYS, EVENTS, type EventFilter, type EventKey } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Connection } from '#test/fixtures/factories.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { type Samples, test } from '#test/fixtures/sample-test.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 6, minute));

describe('the status filter', () => {
  const key = 'conversation.status_changed';
  const withStatus = (connection: Connection, status: 'open' | 'pending' | 'solved', minute: number) =>
    makeOccurrence(key, connection, { at: at(minute), columns: { status } });

  test('matches the current status, sorted by the last change of status', async ({ connection, samples }) => {
    const [first, other, last] = [
      await withStatus(connection, 'pending', 0),
      await withStatus(connection, 'open', 1),
      await withStatus(connection, 'pending', 2),
    ];
    expect(await ids(samples, key, { status: 'pending' })).toEqual([last, first]);
    expect(await ids(samples, key, { status: ' open ' })).toEqual([other]);
    expect(await ids(samples, key, { status: 'closed' })).toEqual([]);
    await db().conversation.update({ where: { id: last }, data: { status: 'closed' } });
    expect(await ids(samples, key, { status: 'pending' })).toEqual([first]);
    expect(await ids(samples, key, { status: 'closed' })).toEqual([last]);
  });

  test('finds three behind any number of newer conversations', async ({ connection, samples }) => {
    const made: string[] = [];
    for (let minute = 0; minute < 4; minute += 1) made.push(await withStatus(connection, 'solved', minute));
    for (let minute = 4; minute < 9; minute += 1) await withStatus(connection, 'open', minute);
    expect(await ids(samples, key, { status: 'solved' })).toEqual(made.toReversed().slice(0, 3));
  });
});

describe('the tag filter', () => {
  const key = 'conversation.tagged';
  const tagged = (connection: Connection, tags: string[], minute: number, conversationId?: string) =>
    makeOccurrence(key, connection, { at: at(minute), tags, ...(conversationId && { conversationId }) });

  test('matches the whole tag, case-insensitively', async ({ connection, samples }) => {
    const id = await tagged(connection, ['Größe XL', 'vip'], 0);
    for (const tag of ['Größe XL', 'größe xl', ' GRÖSSE XL '.replace('SS', 'ẞ'), 'VIP', 'vip'])
      expect(await ids(samples, key, { tag }), tag).toEqual([id]);
    for (const tag of ['größe', 'xl', 'vi', 'vip%', '%', '_', 'größe xl, vip'])
      expect(await ids(samples, key, { tag }), tag).toEqual([]);
  });

  test('shows the newest tagging with the tag, and all tags of that tagging', async ({
    connection,
    samples,
  }) => {
    const id = await tagged(connection, ['Vip', 'Late'], 0);
    await tagged(connection, ['vip'], 1, id);
    await tagged(connection, ['Refund'], 2, id);
    expect(await samples(key, { tag: 'VIP' })).toMatchObject([
      { added_tags: ['vip'], occurred_at: '2026-11-21T06:01:00.000+00:00' },
    ]);
    expect(await samples(key, { tag: 'late' })).toMatchObject([{ added_tags: ['Vip', 'Late'] }]);
    expect(await samples(key)).toMatchObject([{ added_tags: ['Refund'] }]);
  });

  test('may have 40 code points', async ({ connection, samples }) => {
    const tag = '😀'.repeat(40);
    const id = await tagged(connection, [tag], 0);
    expect(await ids(samples, key, { tag })).toEqual([id]);
  });
});

describe('the command filter', () => {
  const key = 'operator.command';
  const ran = (connection: Connection, command: string, minute: number, conversationId?: string) =>
    makeOccurrence(key, connection, { at: at(minute), command, ...(conversationId && { conversationId }) });

  test('accepts an optional slash and any case', async ({ connection, samples }) => {
    const id = await ran(connection, 'refund_now', 0);
    await ran(connection, 'refund', 1);
    for (const command of ['refund_now', '/refund_now', '/Refund_NOW', ' REFUND_NOW '])
      expect(await ids(samples, key, { command }), command).toEqual([id]);
  });

  test('shows the newest run in each conversation', async ({ connection, samples }) => {
    const id = await ran(connection, 'refund', 0);
    await ran(connection, 'refund', 1, id);
    await ran(connection, 'escalate', 2, id);
    const refund = { command: 'refund', occurred_at: '2026-11-21T06:01:00.000+00:00' };
    expect(await samples(key, { command: 'refund' })).toMatchObject([refund]);
    expect(await samples(key)).toMatchObject([{ command: 'escalate' }]);
  });
});

const FILTERED: [EventKey, EventFilter, string[]][] = [
  ['conversation.status_changed', 'status', ['', ' ', '\t']],
  ['conversation.tagged', 'tag', ['', ' ']],
  ['operator.command', 'command', ['', ' ', '/', ' / ']],
];
test.for(FILTERED)(
  'an empty filter of %s matches everything',
  async ([key, field, empty], { connection, samples }) => {
    const id = await makeOccurrence(key, connection, { at: at(0) });
    for (const value of empty) expect(await ids(samples, key, { [field]: value }), value).toEqual([id]);
  },
);

const SENTENCES = {
  status: 'The status must be one of open, pending, solved, closed.',
  tag: 'The tag must be at most 40 characters.',
  command:
    'The command must start with a letter or digit, contain only letters, digits, - and _, and be at most 48 characters.',
};
const UNSTORABLE = 'contains a character that cannot be stored. Remove it.';
test.for([
  ['conversation.status_changed', 'status', 'Open', SENTENCES.status],
  ['conversation.status_changed', 'status', 'open,closed', SENTENCES.status],
  ['conversation.tagged', 'tag', 'x'.repeat(41), SENTENCES.tag],
  ['conversation.tagged', 'tag', '😀'.repeat(41), SENTENCES.tag],
  ['conversation.tagged', 'tag', 'a\0b', `The tag ${UNSTORABLE}`],
  ['operator.command', 'command', 're fund', SENTENCES.command],
  ['operator.command', 'command', '//refund', SENTENCES.command],
  ['operator.command', 'command', 'x'.repeat(49), SENTENCES.command],
  ['operator.command', 'command', '\0', `The command ${UNSTORABLE}`],
] as const)(
  '%s refuses the %s %j with an error on that parameter',
  async ([key, field, value, sentence], { api }) => {
    const query = new URLSearchParams({ [field]: value });
    const { status, body } = await api('GET', `/triggers/${key}/samples?${query}`);
    expect({ status, body }).toEqual({
      status: 422,
      body: { message: sentence, errors: { [field]: [sentence] } },
    });
  },
);

test('the last of repeated filters counts', async ({ connection, api }) => {
  const id = await makeOccurrence('conversation.tagged', connection, { at: at(0), tags: ['vip'] });
  const response = await api('GET', `/triggers/conversation.tagged/samples?tag=${'x'.repeat(41)}&tag=vip`);
  expect(response).toMatchObject({ status: 200, body: [{ id: `conversation.tagged:${id}` }] });
});

describe.each(EVENT_KEYS)('of %s', (key) => {
  test('filters of other events and unknown parameters are ignored without validation', async ({
    connection,
    samples,
  }) => {
    const id = await makeOccurrence(key, connection, { at: at(0) });
    for (const wrong of ['nonsense!', 'x'.repeat(999), '\0', '😀'.repeat(41), 'open', 'refund']) {
      const query = { status: wrong, tag: wrong, command: wrong, limit: '0', event: wrong, id: wrong };
      const own = EVENTS[key].filter;
      expect(await ids(samples, key, own ? { ...query, [own]: '' } : query), wrong).toEqual([id]);
    }
  });
});

const ids = async (samples: Samples, key: EventKey, query: Record<string, string>) =>
  (await samples(key, query)).map(({ id }) => id.replace(`${key}:`, ''));
