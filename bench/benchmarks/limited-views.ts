import { type Calls, compareCalls } from '#bench/lab/compare-calls.ts';
import { FILLING, type FilledInbox, filledDatabase, fillInbox } from '#bench/lab/fill-inbox.ts';
import { startLab } from '#bench/lab/lab.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import type { InboxFilter } from '#server/inbox/lists/inbox-filter.ts';
import { countInbox, countViews } from '#server/screens/inbox/count-inbox.ts';
import { filterChoices } from '#server/screens/inbox/inbox.ts';
import { listInbox } from '#server/screens/inbox/list-inbox.ts';
import type { Visibility } from '#server/teammates/visibility.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const CONVERSATIONS = scaled(1_000_000);

/**
 * Compares the medians of the inbox's lists and counts for teammates with limited views with those for one who sees everything, in a
 * workspace of 1,000,000 conversations. The data stays for the next run.
 */
export async function benchLimitedViews(rounds: number): Promise<void> {
  const lab = await startLab(FILLING);
  try {
    const url = await filledDatabase(lab, CONVERSATIONS);
    setTestSettings({ DATABASE_URL: url });
    const { limited, everything } = await limitedCalls(await fillInbox(url, CONVERSATIONS));
    await compareCalls('limited-views', rounds, {
      calls: limited,
      floor: everything,
      names: ['limited view', 'view of everything'],
      quantile: 0.5,
      atMost: 1.2,
    });
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

const FILTERS: Record<string, Omit<InboxFilter, 'workspaceId'>> = {
  'no filter': {},
  unassigned: { assigneeId: null },
  'a channel': { channel: 'email' },
  'no message for a week': { active: 'over-7d' },
};

/** Returns the reads of the inbox by teammates with limited views, and the same reads by one who sees everything, by name. */
async function limitedCalls(filled: FilledInbox): Promise<{ limited: Calls; everything: Calls }> {
  const { workspaceId, teamId } = filled;
  const { userId } = await db().member.findFirstOrThrow({ where: { workspaceId, role: 'agent' } });
  const open: Visibility = {
    userId,
    teamIds: [],
    onlyAssigned: false,
    hiddenMailboxIds: [],
    hiddenAccountIds: [],
    hidesWebChat: false,
  };
  const views: Record<string, Visibility> = {
    'web chat hidden': { ...open, teamIds: [teamId], hidesWebChat: true },
    'only assigned, a team': { ...open, teamIds: [teamId], onlyAssigned: true },
    'only assigned, no team': { ...open, onlyAssigned: true },
  };
  const calls: { limited: Calls; everything: Calls } = { limited: {}, everything: {} };
  for (const [view, visibility] of Object.entries(views)) {
    for (const [name, call] of Object.entries(readsOf({ workspaceId, userId }))) {
      calls.limited[`${view}: ${name}`] = () => call(visibility);
      calls.everything[`${view}: ${name}`] = () => call(null);
    }
  }
  return calls;
}

function readsOf(reader: { workspaceId: string; userId: string }) {
  const { workspaceId, userId } = reader;
  const reads: Record<string, (visibility: Visibility | null) => Promise<unknown>> = {
    sidebar: (visibility) => countViews(db(), { ...reader, visibility }),
    'choices of the filter': (visibility) => filterChoices(db(), { id: workspaceId, visibility }),
  };
  for (const [name, columns] of Object.entries(FILTERS)) {
    const filterFor = (visibility: Visibility | null) => ({ workspaceId, ...columns, visibility });
    reads[`tab counts, ${name}`] = (visibility) => countInbox(db(), filterFor(visibility));
    reads[`open, ${name}`] = (visibility) =>
      listInbox(db(), { filter: { ...filterFor(visibility), status: 'open' }, userId });
    reads[`all statuses, ${name}`] = (visibility) =>
      listInbox(db(), { filter: filterFor(visibility), userId });
  }
  return reads;
}
