import { type Calls, compareCalls } from '#bench/lab/compare-calls.ts';
import { FILLING, type FilledInbox, filledDatabase, fillInbox, inboxFilters } from '#bench/lab/fill-inbox.ts';
import { startLab } from '#bench/lab/lab.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { listSamples } from '#server/automation/samples/list-samples.ts';
import { searchContacts } from '#server/contacts/search-contacts.ts';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { findConversationsOf } from '#server/inbox/conversations/search-conversations.ts';
import { listSavedViews } from '#server/inbox/saved-views/saved-views.ts';
import { countInbox, countViews } from '#server/screens/inbox/count-inbox.ts';
import { countFoldedViews, countShownViews } from '#server/screens/inbox/count-saved-views.ts';
import { listInbox } from '#server/screens/inbox/list-inbox.ts';
import type { Visibility } from '#server/teammates/visibility.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const LARGE = scaled(1_000_000);
/** Conversations of the smaller workspace. With more than a scan reads at most (20,000), only what grows with a workspace differs. */
const SMALL = Number(process.env.BENCH_SMALL ?? 1_000);

/**
 * Compares the 95th percentile of every inbox list, search, sample and count of the sidebar in a workspace of 1,000,000
 * conversations with one of 1,000 in the same database. Calls alternate between the workspaces, so that other
 * load on the machine affects both. Filling takes minutes, so the data stays for the next run.
 */
export async function benchGrowth(rounds: number): Promise<void> {
  const lab = await startLab(FILLING);
  try {
    const url = await filledDatabase(lab, LARGE);
    setTestSettings({ DATABASE_URL: url });
    const smallInbox = await fillInbox(url, SMALL);
    const pages = await countRows(smallInbox);
    const small = callsOf(smallInbox, pages);
    const large = callsOf(await fillInbox(url, LARGE), pages);
    await compareCalls('growth', rounds, {
      calls: large,
      floor: small,
      names: [`${LARGE} conversations`, `${SMALL} conversations`],
      quantile: 0.95,
      atMost: 2,
    });
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

/** Rows that an inbox requests first. */
const PAGE_ROWS = 20;

/**
 * Returns the number of rows of each list in the smaller workspace. Pages of both workspaces are as long, so that
 * they differ in what was searched, not in what was found.
 */
async function countRows(filled: FilledInbox): Promise<Record<string, number>> {
  const { workspaceId } = filled;
  const counts: Record<string, number> = {};
  for (const [name, filter] of Object.entries(inboxFilters(filled))) {
    const { rows } = await listInbox(db(), {
      filter: { workspaceId, language: 'english', ...filter },
      rows: PAGE_ROWS,
    });
    counts[name] = rows.length;
  }
  return counts;
}

function callsOf(filled: FilledInbox, pages: Record<string, number>): Calls {
  const { workspaceId, userId, email } = filled;
  const calls: Calls = {};
  for (const [name, filter] of Object.entries(inboxFilters(filled))) {
    const rows = Math.max(1, pages[name] ?? 0);
    calls[`list: ${name}`] = () =>
      listInbox(db(), { filter: { workspaceId, language: 'english', ...filter }, rows });
  }
  const reader = { workspaceId, userId, language: 'english' as const, visibility: null };
  calls['sidebar: views'] = () => countViews(db(), reader);
  for (const [view, visibility] of Object.entries(limitedViews(filled))) {
    const limited = { ...reader, visibility };
    const counted = { workspaceId, visibility };
    calls[`${view}: list, open`] = () =>
      listInbox(db(), { filter: { ...limited, status: 'open' }, rows: PAGE_ROWS });
    calls[`${view}: tab counts`] = () => countInbox(db(), counted);
    calls[`${view}: sidebar`] = () => countViews(db(), limited);
  }
  calls['sidebar: saved views'] = async () =>
    countShownViews(await listSavedViews(db(), reader), reader, true);
  calls['sidebar: 42 folded saved views'] = async () =>
    countFoldedViews(await listSavedViews(db(), reader), reader);
  calls['search: contact by email'] = () => searchContacts(db(), { workspaceId, email, phone: undefined });
  calls['search: conversations of a contact'] = () => findConversationsOf(workspaceId, { email });
  const filter = { status: null, tag: null, command: null };
  for (const event of EVENT_KEYS) {
    calls[`samples of ${event}`] = () => listSamples({ workspaceId, event, filter });
  }
  return calls;
}

/** Returns what teammates with a limited view see, by name. */
function limitedViews({ userId, teamId }: FilledInbox): Record<string, Visibility> {
  const sources = { hiddenMailboxIds: [], hiddenAccountIds: [], hidesWebChat: false };
  const view = { userId, teamIds: [teamId], ...sources };
  return {
    'web chat hidden': { ...view, onlyAssigned: false, hidesWebChat: true },
    'only assigned, a team': { ...view, onlyAssigned: true },
  };
}
