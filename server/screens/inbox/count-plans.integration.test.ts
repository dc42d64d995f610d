import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { RemovedPage } from '#server/screens/inbox/views.ts';
import { readingOf } from '#test/database/read-plan.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test as largeTest } from '#test/fixtures/large-workspace-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

// The numbers beside views are bounded, and so is what counting them reads.

/** The inbox, saved views and notifications of the agent and of the owner of a busy workspace. */
const test = largeTest
  .extend('agent', { scope: 'file' }, ({ busy }) => busy.screens())
  .extend('owner', { scope: 'file' }, async ({ busy }) => (await signInTeammate(busy.owner))());

test('up to 20 teams are counted up to 99, and unread conversations up to 900, in one statement', async ({
  agent: { inbox },
}) => {
  const { scanned, rows, statements } = await readingOf(async () => {
    const { teams, unread } = await inbox.viewCounts();
    expect(teams).toHaveLength(20);
    expect(teams.slice(0, 3)).toMatchObject([
      { name: 'Billing', open: { count: 99, more: true } },
      { name: 'Team 10', open: { count: 99, more: false } },
      { name: 'Team 11', open: { count: 99, more: true } },
    ]);
    expect(unread).toEqual({ count: 900, more: true });
  });
  expect(statements).toBeLessThanOrEqual(1);
  expect(scanned).not.toContain('conversations');
  // Up to 1,000 for each of the views, with who has read them, and 100 for each team.
  expect(rows).toBeLessThan(7_000);
});

describe('of a workspace with many conversations that a limited view hides', () => {
  test('the counts, and the tags to filter by, read few rows and say that there may be more', async ({
    busy,
  }) => {
    const { inbox } = await signInLimited(busy.workspaceId);
    const counted = await readingOf(async () => {
      const { teams, all } = await inbox.viewCounts();
      expect(all).toEqual({ count: 0, more: true });
      expect(teams.find(({ name }) => name === 'Billing')?.open).toEqual({ count: 0, more: true });
      // Their own teams are first.
      expect(teams[0]?.open).toEqual({ count: 0, more: false });
      expect(teams).toHaveLength(20);
    });
    // The newest 250 of the views, and 50 of each of 11 teams.
    expect(counted.rows).toBeLessThan(3_000);
    const chosen = await readingOf(async () => expect((await inbox.filterChoices()).tags).toEqual([]));
    // The newest 500 of the only status.
    expect(chosen.rows).toBeLessThan(700);
    expect([...counted.scanned, ...chosen.scanned]).not.toContain('conversations');
  });

  test('a page of Spam checks up to 500, and the next page continues there', async ({ years }) => {
    const { removed } = await signInLimited(years.workspaceId);
    const pages: RemovedPage[] = [];
    const read = await readingOf(async () => {
      pages.push(await removed.listSpam({}));
    });
    expect(read.rows).toBeLessThan(600);
    while (pages.at(-1)?.nextCursor && pages.length < 9)
      pages.push(await removed.listSpam({ cursor: pages.at(-1)?.nextCursor ?? '' }));
    // 1,000 conversations are spam.
    expect(pages.map(({ rows }) => rows.length)).toEqual([0, 0, 0]);
    const last = await db().conversation.findFirstOrThrow({
      where: { workspaceId: years.workspaceId, removal: 'spam', isTest: false },
      orderBy: { removedAt: 'asc' },
    });
    const [agent] = await db().member.findMany({
      where: { workspaceId: years.workspaceId, role: 'agent', onlyAssigned: true },
    });
    await db().conversation.update({
      where: { id: last.id },
      data: { assigneeId: agent?.userId ?? null, assignedAt: new Date() },
    });
    const found = await removed.listSpam({ cursor: pages[0]?.nextCursor ?? '' });
    expect(found.rows.map(({ id }) => id)).toEqual([last.id]);
  });
});

test('fifty views are counted by two statements that read few rows', async ({ agent, owner }) => {
  for (let n = 0; n < 30; n += 1) {
    const filters = n % 2 === 0 ? { priority: 'high' as const } : { status: 'open' as const };
    await owner.savedViews.add({ name: `Shared ${n}`, isShared: true, filters });
  }
  for (let n = 0; n < 20; n += 1) {
    await agent.savedViews.add({
      name: `Private ${n}`,
      isShared: false,
      filters: { tag: 'vip', sla: 'overdue' },
    });
  }
  const { saved } = await agent.inbox.viewCounts();
  expect(saved).toHaveLength(50);
  const idOf = (name: string) => saved.find((view) => view.name === name)?.id ?? '';
  const { rows, statements } = await readingOf(async () => {
    const counts = await agent.inbox.foldedCounts();
    expect(Object.keys(counts)).toHaveLength(42);
    expect(counts[idOf('Shared 7')]).toEqual({ count: 99, more: true });
    // No conversation among the first 250 matches. There are others.
    expect(counts[idOf('Shared 8')]).toEqual({ count: 0, more: true });
  });
  expect(statements).toBeLessThanOrEqual(2);
  // Equal filters are counted once: 250 conversations for the priority, 100 for the status.
  expect(rows).toBeLessThan(1_250);
});

test('the list of notifications reads few more rows than it shows', async ({ years }) => {
  const { notifications } = await years.screens();
  const { scanned, rows, statements } = await readingOf(async () => {
    const { newest, unread } = await notifications.list();
    expect(newest).toHaveLength(20);
    expect(unread).toBe(31);
  });
  expect(statements).toBeLessThanOrEqual(1);
  expect(scanned).not.toContain('notifications');
  // The rows of the list, and the counted rows.
  expect(rows).toBeLessThanOrEqual(90);
});

/**
 * Returns the procedures of a new agent who sees only what is assigned to them or their nine teams, which is nothing. So many teams
 * are not scanned by their indexes: each conversation is checked, as in a view that hides a source.
 */
async function signInLimited(workspaceId: string) {
  const { id: userId, email } = await makeUser('Lea Limited', { workspaceId, role: 'agent' });
  await db().member.updateMany({ where: { workspaceId, userId }, data: { onlyAssigned: true } });
  const names = Array.from({ length: 9 }, (_, n) => `Zone ${n} ${userId}`);
  const teams = await db().team.createManyAndReturn({ data: names.map((name) => ({ workspaceId, name })) });
  await db().teamMember.createMany({
    data: teams.map(({ id: teamId }) => ({ workspaceId, teamId, userId })),
  });
  return (await signInTeammate({ email }))();
}
