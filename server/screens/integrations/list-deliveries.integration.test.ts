import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { getDelivery } from '#server/screens/integrations/get-delivery.ts';
import { type LogFilter, listDeliveries } from '#server/screens/integrations/list-deliveries.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('log', { scope: 'file' }, ({ service: _ }) => fillLog());

test('the log shows the deliveries of this workspace only, newest first', async ({
  log: { listed, ids },
}) => {
  expect(await listed()).toEqual(Object.keys(ids).reverse());
});

test('a row has the event, the hook, the state and the last attempt', async ({
  log: { workspaceId, ids, created, tagged },
}) => {
  const { rows } = await listDeliveries(db(), { workspaceId });
  const row = (name: string) => rows.find(({ id }) => id === ids[name]);
  expect(row('delivered')).toEqual({
    id: ids.delivered,
    event: 'conversation.created',
    eventName: 'New Conversation',
    about: 'Where is my order?',
    hook: { id: created.id, filter: null },
    state: 'delivered',
    attempts: 2,
    lastAttempt: { outcome: 'delivered', statusCode: 200, durationMs: 25 },
    nextAttemptAt: null,
    createdAt: expect.any(Date),
  });
  expect(row('exhausted')).toMatchObject({
    about: null,
    hook: { id: tagged.id, filter: 'Refund' },
    state: 'failed',
    attempts: 5,
    lastAttempt: { outcome: 'failed', statusCode: 500 },
  });
  expect(row('waiting')).toMatchObject({
    state: 'waiting',
    lastAttempt: null,
    nextAttemptAt: expect.any(Date),
  });
  expect(row('sending')).toMatchObject({ state: 'waiting' });
  expect(row('sent again')).toMatchObject({ state: 'waiting', attempts: 1 });
});

test('a row distinguishes an untrusted certificate from an unreachable receiver', async () => {
  const hook = await makeHook(await makeConnection());
  const log = async (error: string) => {
    const { id } = await logDelivery(hook, { attempts: [{ outcome: 'unreachable', error }] });
    const [delivery, { rows }] = await Promise.all([
      getDelivery(db(), { workspaceId: hook.workspaceId, id, platformName: 'Zippy' }),
      listDeliveries(db(), { workspaceId: hook.workspaceId }),
    ]);
    const { lastAttempt } = rows.find((row) => row.id === id) ?? {};
    return [lastAttempt?.certificate, delivery?.attemptList[0]?.certificate];
  };
  expect(await log('SELF_SIGNED_CERT_IN_CHAIN: self-signed certificate in certificate chain')).toEqual([
    'untrusted',
    'untrusted',
  ]);
  expect(await log('CERT_HAS_EXPIRED: certificate has expired')).toEqual(['expired', 'expired']);
  expect(await log('ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:443')).toEqual([undefined, undefined]);
});

describe('filters of the log', () => {
  test.for<[LogFilter['outcome'], string[]]>([
    ['delivered', ['delivered']],
    ['failed', ['exhausted', 'dropped']],
    ['cancelled', ['cancelled']],
    ['retrying', ['retrying, full', 'retrying']],
    ['waiting', ['sent again', 'waiting, full', 'waiting', 'sending']],
  ])('an outcome: %s', async ([outcome, names], { log: { listed } }) => {
    expect(await listed({ outcome })).toEqual(names);
  });

  test('a workflow, an event, or either with an outcome', async ({ log: { listed, tagged, created } }) => {
    const ofTagged = ['sending', 'retrying, full', 'cancelled', 'exhausted'];
    expect(await listed({ hookId: tagged.id })).toEqual(ofTagged);
    expect(await listed({ event: 'conversation.tagged' })).toEqual(ofTagged);
    expect(await listed({ event: 'conversation.tagged', hookId: created.id })).toEqual([]);
    expect(await listed({ event: 'contact.created' })).toEqual([]);
    expect(await listed({ hookId: tagged.id, outcome: 'failed' })).toEqual(['exhausted']);
    expect(await listed({ event: 'conversation.created', outcome: 'delivered' })).toEqual(['delivered']);
    expect(await listed({ event: 'conversation.created', outcome: 'failed' })).toEqual(['dropped']);
  });

  test('a period, including its start and excluding its end', async ({ log: { ids, listed, tagged } }) => {
    const { createdAt } = await db().delivery.findUniqueOrThrow({ where: { id: ids.cancelled ?? '' } });
    const after = new Date(createdAt.getTime() + 1);
    expect(await listed({ until: createdAt })).toEqual(['exhausted', 'dropped', 'delivered']);
    expect(await listed({ since: createdAt, until: after })).toEqual(['cancelled']);
    expect(await listed({ since: after, hookId: tagged.id })).toEqual(['sending', 'retrying, full']);
    expect(await listed({ since: after, outcome: 'failed' })).toEqual([]);
  });
});

test.for(['another workspace’s workflow', 'a malformed id', 'an unknown id'])(
  '%s has no deliveries',
  async (whose, { log: { listed } }) => {
    const strangers = await makeHook(await makeConnection());
    await logDelivery(strangers, { outcome: 'dropped' });
    const hookId =
      whose === 'a malformed id'
        ? 'robot'
        : whose === 'an unknown id'
          ? '01890000-0000-7000-8000-000000000000'
          : strangers.id;
    for (const outcome of ['all', 'failed'] as const) expect(await listed({ hookId, outcome })).toEqual([]);
  },
);

describe('older pages', () => {
  test.each<[string, (hook: Hook) => LogFilter]>([
    ['of all deliveries', () => ({})],
    ['of a workflow', (hook) => ({ hookId: hook.id })],
    ['of failed deliveries', () => ({ outcome: 'failed' })],
  ])('%s have no gaps or repetitions, even with equal timestamps', async (_of, filterOf) => {
    const hook = await makeHook(await makeConnection());
    const made = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        logDelivery(hook, { outcome: 'dropped', createdAt: minutesAgo(i < 90 ? 5 : i) }),
      ),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await listDeliveries(db(), { workspaceId: hook.workspaceId, ...filterOf(hook), cursor });
      expect(page.rows.length).toBeLessThanOrEqual(50);
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.older ?? undefined;
      pages += 1;
    } while (cursor);
    expect(pages).toBe(3);
    expect(seen).toHaveLength(120);
    expect(new Set(seen)).toEqual(new Set(made.map(({ id }) => id)));
  });

  test('distinguish timestamps by microseconds, as PostgreSQL does', async () => {
    const hook = await makeHook(await makeConnection());
    await Promise.all(Array.from({ length: 51 }, () => logDelivery(hook)));
    await db().$executeRaw`
      update deliveries set created_at = timestamptz '2026-11-21 06:29:29+00' + numbered.n * interval '1 microsecond'
      from (select id, row_number() over () as n from deliveries where hook_id = ${hook.id}::uuid) numbered
      where numbered.id = deliveries.id`;
    const { workspaceId: own } = hook;
    const first = await listDeliveries(db(), { workspaceId: own });
    const second = await listDeliveries(db(), { workspaceId: own, cursor: first.older ?? '' });
    expect(first.rows).toHaveLength(50);
    expect(second.rows).toHaveLength(1);
    expect(first.rows).not.toContainEqual(second.rows[0]);
    expect(second.older).toBeNull();
  });

  test.for(['', 'x', '1-2', `${'9'.repeat(30)}-01890000-0000-7000-8000-000000000000`, "0'-"])(
    'start with the first page for the invalid cursor %j',
    async (cursor, { log: { workspaceId } }) => {
      expect((await listDeliveries(db(), { workspaceId, cursor })).rows).toHaveLength(10);
    },
  );
});

/** Creates a log with a delivery of every state, and returns the ids by name and a function that lists the names. */
async function fillLog() {
  const connection = await makeConnection();
  const { workspaceId } = connection;
  const created = await makeHook(connection);
  const tagged = await makeHook(connection, {
    event: 'conversation.tagged',
    tag: 'Refund',
    filterKey: 'refund',
  });
  const conversation = { conversation: { subject: 'Where is my order?' } };
  const log: [string, Hook, Parameters<typeof logDelivery>[1]][] = [
    ['delivered', created, { outcome: 'delivered', attempts: ['failed', 'delivered'], body: conversation }],
    ['dropped', created, { outcome: 'dropped', attempts: ['rejected'] }],
    ['exhausted', tagged, { outcome: 'exhausted', attempts: Array(5).fill('failed') }],
    ['cancelled', tagged, { outcome: 'cancelled' }],
    ['retrying', created, { attempts: ['timed_out'] }],
    ['retrying, full', tagged, { attempts: ['throttled'] }],
    ['sending', tagged, {}],
    ['waiting', created, {}],
    ['waiting, full', created, {}],
    ['sent again', created, { attempts: ['rejected'], earlierAttempts: 1 }],
  ];
  const ids: Record<string, string> = {};
  for (const [index, [name, hook, input]] of log.entries()) {
    ids[name] = (await logDelivery(hook, { createdAt: minutesAgo(100 - index), ...input })).id;
  }
  const strangers = await makeHook(await makeConnection());
  await logDelivery(strangers, { outcome: 'dropped', attempts: ['rejected'] });
  const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
  const listed = async (filter: LogFilter = {}): Promise<string[]> => {
    const { rows } = await listDeliveries(db(), { workspaceId, ...filter });
    return rows.map(({ id }) => names.get(id) ?? 'of another workspace');
  };
  return { workspaceId, created, tagged, ids, listed };
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
