import { expect } from 'vitest';
import { readingOf } from '#test/database/read-plan.ts';
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
