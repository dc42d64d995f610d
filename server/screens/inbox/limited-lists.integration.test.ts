import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { findSeenColumns } from '#server/inbox/conversations/seen-columns.ts';
import {
  isVisible,
  isVisibleById,
  isVisibleTo,
  reasonToSee,
  type SeenColumns,
  visibleById,
} from '#server/inbox/conversations/visible-conversations.ts';
import { findVisibilities, VISIBILITY_OF_MEMBER } from '#server/teammates/visibility.ts';
import type { InboxFilter } from '#test/fixtures/inbox-reader.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

type Mixed = Awaited<ReturnType<typeof fillMixed>>;
type Limit = 'source' | 'assigned' | 'both';

const test = serviceTest.extend('mixed', { scope: 'file' }, ({ service: _ }) => fillMixed());

const LIMITS: Limit[] = ['source', 'assigned', 'both'];

describe.each(LIMITS)('a view that is limited by %s', (limit) => {
  test('is the same as SQL, as a filter of Prisma and as a reason', async ({ mixed }) => {
    const { workspaceId, conversations } = mixed;
    const visibility = await mixed.limit(limit);
    const expected = conversations.filter((each) => reasonToSee(visibility, each)).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(3);
    expect(expected.length).toBeLessThan(conversations.length);
    const found = async (condition: ReturnType<typeof isVisible>) =>
      (
        await sql().$queryRaw<{ id: string }[]>`
          select id from conversations c where workspace_id = ${workspaceId}::uuid and ${condition}`
      ).map(({ id }) => id);
    expect((await found(isVisible(visibility, 'c'))).toSorted()).toEqual(expected.toSorted());
    expect((await found(isVisibleById(visibility))).toSorted()).toEqual(expected.toSorted());
    const { rows: ofMember } = await pool().query<{ id: string }>(
      `select c.id from conversations c
        join (select m.workspace_id, (${VISIBILITY_OF_MEMBER})::jsonb as view from members m where m.user_id = $2) v
          on v.workspace_id = c.workspace_id
        where c.workspace_id = $1 and ${isVisibleTo('v.view', 'c').sql}`,
      [workspaceId, visibility?.userId],
    );
    expect(ofMember.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    const rows = await db().conversation.findMany({ where: { workspaceId, ...visibleById(visibility) } });
    expect(rows.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  });

  test('lists, counts and orders what it shows like a view of everything, page by page', async ({
    mixed,
  }) => {
    const visibility = await mixed.limit(limit);
    const seen = new Set(
      mixed.conversations.filter((each) => reasonToSee(visibility, each)).map(({ id }) => id),
    );
    const { owner, agent } = mixed;
    for (const filter of filtersOf(mixed)) {
      const expected = (await idsOf(owner, filter)).filter((id) => seen.has(id));
      expect({ filter, ids: await idsOf(agent, filter) }).toEqual({ filter, ids: expected });
      const { order: _order, status: _status, ...counted } = filter;
      const counts = await (await agent()).inbox.counts(counted);
      const all = await idsOf(agent, counted);
      expect(Object.values(counts).reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
    }
    const { mine, unassigned, all, unread, teams } = await (await agent()).inbox.viewCounts();
    const open = async (filter: InboxFilter) => (await idsOf(agent, { status: 'open', ...filter })).length;
    expect([mine, unassigned, all, unread].map(({ count }) => count)).toEqual([
      await open({ assignee: 'me' }),
      await open({ assignee: 'unassigned' }),
      await open({}),
      await open({ unread: 'yes' }),
    ]);
    for (const { id, open: count } of teams) expect(count.count).toBe(await open({ teamId: id }));
  });

  test('counts a shared saved view, and finds by words, only what it shows', async ({ mixed }) => {
    const { owner, agent } = mixed;
    const visibility = await mixed.limit(limit);
    const open = mixed.conversations.filter(
      (each) => reasonToSee(visibility, each) && each.status === 'open',
    );
    const [ofAll, ofAgent] = [
      await (await owner()).inbox.viewCounts(),
      await (await agent()).inbox.viewCounts(),
    ];
    expect(ofAgent.saved.map(({ found }) => found.count)).toEqual([open.length]);
    expect(ofAll.saved[0]?.found.count).toBeGreaterThan(open.length);
  });
});

test('a merged conversation is seen by those who see the one that it was merged into', async ({ mixed }) => {
  const { workspaceId, conversations } = mixed;
  const visibility = await mixed.limit('source');
  const [hidden] = conversations.filter((each) => !reasonToSee(visibility, each));
  const [shown] = conversations.filter((each) => reasonToSee(visibility, each) === 'source');
  const merged = async (mergedIntoId: string, from: SeenColumns) => {
    const { mailboxId, channel } = from;
    const data = { workspaceId, mailboxId, channel, mergedIntoId };
    const { id } = await db().conversation.create({ data });
    const found = await sql().$queryRaw<unknown[]>`
      select 1 from conversations c where id = ${id}::uuid and ${isVisibleById(visibility)}`;
    const count = await db().conversation.count({ where: { id, ...visibleById(visibility) } });
    const columns = (await findSeenColumns({ workspaceId, ids: [id] })).get(id);
    await db().conversation.delete({ where: { id } });
    return [found.length, count, columns && reasonToSee(visibility, columns) !== null ? 1 : 0];
  };
  if (!hidden || !shown) throw new Error('The view shows some and hides some.');
  expect(await merged(shown.id, hidden)).toEqual([1, 1, 1]);
  expect(await merged(hidden.id, shown)).toEqual([0, 0, 0]);
});

/** Creates a workspace with conversations of each combination of source, team, assignee and status. */
async function fillMixed() {
  const teammates = await makeTeammates();
  const { workspaceId, agent, owner } = teammates;
  const teams = await Promise.all(
    ['Mine', 'Other'].map((name) => db().team.create({ data: { workspaceId, name } })),
  );
  const [mine, other] = teams.map(({ id }) => id);
  if (!mine || !other) throw new Error('Two teams were created.');
  await db().teamMember.create({ data: { workspaceId, teamId: mine, userId: agent.id } });
  const mailboxes = await Promise.all(
    ['open', 'mine', 'hidden'].map((name) =>
      db().mailbox.create({ data: { workspaceId, name, address: `${name}-${randomUUID()}@lists.test` } }),
    ),
  );
  const [, ofMine, hidden] = mailboxes.map(({ id }) => id);
  const account = await db().channelAccount.create({
    data: {
      workspaceId,
      channel: 'telegram',
      externalId: randomUUID(),
      name: 'Bot',
      credentials: Buffer.from('x'),
    },
  });
  await db().savedView.create({ data: { workspaceId, name: 'Open', filters: { status: 'open' } } });
  const sources = [
    ...mailboxes.map(({ id }) => ({ mailboxId: id, channelAccountId: null, channel: 'email' as const })),
    { mailboxId: null, channelAccountId: account.id, channel: 'telegram' as const },
    { mailboxId: null, channelAccountId: null, channel: 'webchat' as const },
    { mailboxId: null, channelAccountId: null, channel: 'email' as const },
  ];
  const statuses = ['open', 'pending'] as const;
  let minute = 0;
  const data = statuses.flatMap((status) =>
    sources.flatMap((source) =>
      [null, mine, other].flatMap((teamId) =>
        [null, agent.id, owner.id].map((assigneeId) => {
          minute += 1;
          const at = new Date(Date.now() - minute * 60_000);
          const urgent = minute % 5 === 0 ? { priority: 'urgent' as const } : {};
          return {
            workspaceId,
            ...source,
            teamId,
            assigneeId,
            assignedAt: assigneeId === null ? null : at,
            status,
            ...urgent,
            subject: `Parcel ${minute}`,
            lastMessageAt: at,
            lastInboundAt: minute % 3 === 0 ? at : null,
            waitingSince: minute % 2 === 0 ? at : null,
          };
        }),
      ),
    ),
  );
  const conversations = await db().conversation.createManyAndReturn({ data });
  await db().member.updateMany({ where: { workspaceId }, data: { readBefore: new Date(0) } });
  /** Limits what the agent sees, and returns it. */
  const limit = async (to: Limit) => {
    await db().limitedSource.deleteMany({ where: { workspaceId } });
    if (to !== 'assigned') {
      const limited = [
        { mailboxId: ofMine ?? null, teamId: mine },
        { mailboxId: hidden ?? null, teamId: other },
        { channelAccountId: account.id, teamId: other },
        { teamId: other },
      ];
      for (const { teamId, ...source } of limited)
        await db().limitedSource.create({
          data: { workspaceId, ...source, teams: { create: [{ teamId }] } },
        });
    }
    await db().member.updateMany({ where: { userId: agent.id }, data: { onlyAssigned: to !== 'source' } });
    const visibility = (await findVisibilities({ workspaceId, userIds: [agent.id] })).get(agent.id);
    if (!visibility) throw new Error('The view is limited.');
    return visibility;
  };
  const screensOf = { agent: await signInTeammate(agent), owner: await signInTeammate(owner) };
  return { workspaceId, conversations, teamIds: [mine, other], ownerId: owner.id, ...screensOf, limit };
}

function filtersOf({ teamIds, ownerId }: Mixed): NonNullable<InboxFilter>[] {
  const orders = ['newest', 'oldest', 'priority', 'waiting', 'due'] as const;
  return [
    {},
    ...orders.map((order) => ({ status: 'open' as const, order })),
    { status: 'open', assignee: 'unassigned' },
    { assignee: ownerId },
    { status: 'open', channel: 'email' },
    { status: 'pending', priority: 'urgent' },
    { status: 'open', search: 'parcel' },
    { search: 'parcel 7', status: 'open' },
    { created: '1d' },
    ...teamIds.map((teamId) => ({ status: 'open' as const, teamId })),
  ];
}

/** Returns the ids of all pages. */
async function idsOf(load: Mixed['agent'], filter: InboxFilter): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await (await load()).inbox.list({ rows: 7, ...filter, cursor });
    ids.push(...rows.map(({ id }) => id));
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}
