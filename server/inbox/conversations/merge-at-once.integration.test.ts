import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import type { Connected } from '#test/fixtures/fixture-types.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';

test('exactly one of two parallel merges in opposite directions succeeds', async ({ connection }) => {
  for (let round = 0; round < 10; round += 1) {
    const [one = '', other = ''] = await makeMany(connection, 2);
    const outcomes = await Promise.allSettled([
      mergeAs(connection, one, other),
      mergeAs(connection, other, one),
    ]);
    expect(countPassed(outcomes)).toBe(1);
    expect(await mergedInto([one, other])).toEqual(
      outcomes[0]?.status === 'fulfilled' ? [other, null] : [null, one],
    );
  }
});

test('exactly one of five parallel merges of one conversation succeeds', async ({ connection }) => {
  const [one = '', ...others] = await makeMany(connection, 6);
  const outcomes = await Promise.allSettled(others.map((other) => mergeAs(connection, one, other)));
  expect(countPassed(outcomes)).toBe(1);
  expect(others).toContain((await mergedInto([one]))[0]);
  expect(await db().timelineEntry.count({ where: { workspaceId: connection.workspaceId } })).toBe(2);
});

test('parallel merges in a ring never fail and leave no chain of merges', async ({ connection }) => {
  for (let round = 0; round < 5; round += 1) {
    const ring = await makeMany(connection, 4);
    const outcomes = await Promise.allSettled(
      ring.map((id, i) => mergeAs(connection, id, ring[(i + 1) % ring.length] ?? '')),
    );
    const passed = countPassed(outcomes);
    expect(passed).toBeGreaterThan(0);
    const targets = await mergedInto(ring);
    expect(targets.filter((target) => target !== null)).toHaveLength(passed);
    for (const target of targets) {
      if (target !== null) expect(targets[ring.indexOf(target)], 'a chain').toBeNull();
    }
  }
});

test('a conversation changed in parallel to its merge changes before the merge or not at all', async ({
  api,
  connection,
}) => {
  for (let round = 0; round < 8; round += 1) {
    const [one = '', other = ''] = await makeMany(connection, 2);
    const [response] = await Promise.all([
      api('PATCH', `/conversations/${one}`, { status: 'pending' }),
      mergeAs(connection, one, other),
    ]);
    const row = await db().conversation.findUnique({
      where: { id: one },
      include: { timeline: { orderBy: { id: 'asc' } } },
    });
    expect(row?.mergedIntoId).toBe(other);
    const kinds = row?.timeline.map(({ kind }) => kind);
    const emitted = (await recordedEvents(connection.workspaceId)).filter((event) =>
      JSON.stringify(event).includes(one),
    );
    if (response.status === 200) {
      expect(kinds).toEqual(['status_changed', 'merged']);
      expect(emitted).toHaveLength(1);
    } else {
      expect(response).toMatchObject({
        status: 422,
        body: { errors: { conversation: [expect.any(String)] } },
      });
      expect(kinds).toEqual(['merged']);
      expect(emitted).toEqual([]);
    }
  }
});

const makeMany = (connection: Connected, count: number) =>
  Promise.all(Array.from({ length: count }, () => makeConversation(connection)));

async function mergedInto(ids: string[]): Promise<(string | null)[]> {
  const rows = await db().conversation.findMany({ where: { id: { in: ids } } });
  return ids.map((id) => rows.find((row) => row.id === id)?.mergedIntoId ?? null);
}

/** Counts the successful merges and expects that all others were refused. */
function countPassed(outcomes: PromiseSettledResult<void>[]): number {
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  for (const reason of refused) expect(reason).toMatchObject({ refusal: 'invalid' });
  return outcomes.length - refused.length;
}
