import { describe, expect } from 'vitest';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { db } from '#server/core/database/prisma.ts';
import { makeOccurrence } from '#test/fixtures/occurrences.ts';
import { type Samples, test } from '#test/fixtures/sample-test.ts';

describe.each(EVENT_KEYS)('samples of %s', (key) => {
  test('are the three newest by occurrence, newest first, and the same when loaded again', async ({
    connection,
    samples,
  }) => {
    const made: Record<number, string> = {};
    for (const minute of [2, 4, 0, 3, 1])
      made[minute] = await makeOccurrence(key, connection, { at: at(minute) });
    const newest = [4, 3, 2].map((minute) => `${key}:${made[minute]}`);
    for (let times = 0; times < 3; times += 1) expect(await ids(samples, key)).toEqual(newest);
  });

  test('have a stable order for equal timestamps', async ({ connection, samples }) => {
    const made: string[] = [];
    for (let count = 0; count < 4; count += 1)
      made.push(await makeOccurrence(key, connection, { at: at(0) }));
    const newest = made.toSorted().toReversed().slice(0, 3);
    expect(await ids(samples, key)).toEqual(newest.map((id) => `${key}:${id}`));
  });
});

const AGAIN = ['conversation.tagged', 'conversation.rated', 'message.received', 'operator.command'] as const;

describe.each(AGAIN)('%s, when it occurs again in a conversation,', (key) => {
  test('is shown once, at its newest, with one id', async ({ connection, samples }) => {
    const again = await makeOccurrence(key, connection, { at: at(0) });
    const once = await makeOccurrence(key, connection, { at: at(1) });
    await makeOccurrence(key, connection, { at: at(2), conversationId: again });
    const found = await samples(key);
    expect(found.map(({ id }) => id)).toEqual([`${key}:${again}`, `${key}:${once}`]);
    expect(found[0]?.occurred_at).toBe('2026-11-21T06:02:00.000+00:00');
  });

  test('is shown at its newest even if an earlier one is recorded later', async ({ connection, samples }) => {
    const conversationId = await makeOccurrence(key, connection, { at: at(2) });
    const [newest] = await samples(key);
    await makeOccurrence(key, connection, { at: at(1), conversationId });
    expect(await samples(key)).toEqual([newest]);
  });

  test('does not displace other conversations', async ({ connection, samples }) => {
    const once = await makeOccurrence(key, connection, { at: at(0) });
    const often = await makeOccurrence(key, connection, { at: at(1) });
    for (let minute = 2; minute < 7; minute += 1)
      await makeOccurrence(key, connection, { at: at(minute), conversationId: often });
    expect(await ids(samples, key)).toEqual([`${key}:${often}`, `${key}:${once}`]);
  });
});

describe('a conversation', () => {
  test('that is no longer assigned is no sample of an assignment', async ({ connection, samples }) => {
    const id = await makeOccurrence('conversation.assigned', connection, { at: at(0) });
    await db().conversation.update({ where: { id }, data: { assigneeId: null, assignedAt: null } });
    expect(await samples('conversation.assigned')).toEqual([]);
  });

  test('that never changed its status shows with its creation as the first change', async ({
    connection,
    samples,
  }) => {
    const columns = { createdAt: at(0), statusChangedAt: at(0) };
    const id = await makeOccurrence('conversation.created', connection, { at: at(0), columns });
    expect(await ids(samples, 'conversation.status_changed')).toEqual([`conversation.status_changed:${id}`]);
  });
});

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 6, minute));
const ids = async (samples: Samples, key: string) => (await samples(key)).map(({ id }) => id);
