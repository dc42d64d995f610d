import { percentile } from '#bench/clock.ts';
import { compare } from '#bench/compare.ts';
import { type FilledInbox, fillInbox } from '#bench/fill-inbox.ts';
import { inboxFilters } from '#bench/inbox-filters.ts';
import { startLab } from '#bench/lab.ts';
import { scaled } from '#bench/scaled.ts';
import { listSamples } from '#server/automation/samples/list-samples.ts';
import { EVENT_KEYS } from '#server/contract/events/catalogue.ts';
import { closeDatabase, db } from '#server/ground/db.ts';
import { listInbox } from '#server/inbox/conversations/list/list-inbox.ts';
import { findConversationsOf } from '#server/inbox/conversations/search-conversations.ts';
import { searchContacts } from '#server/people/contacts/search-contacts.ts';
import { setTestSettings } from '#test/settings.ts';

const LARGE = scaled(1_000_000);
const SMALL = 1_000;
const CALLS = 40;
/** Statements are planned and prepared by then. */
const WARM_CALLS = 6;

/**
 * The 95th percentile of every search, sample and list of the inbox in a workspace of 1,000,000 conversations beside one of
 * 1,000, each in a database of its own. Filling takes minutes, and is kept for the next run.
 */
export async function benchGrowth(rounds: number): Promise<void> {
  const lab = await startLab({ shared_buffers: '512MB', max_wal_size: '8GB', maintenance_work_mem: '512MB' });
  const side = async (conversations: number) => {
    const url = await lab.keptDatabase(`inbox_${conversations}`);
    await use(url);
    const filled = await fillInbox(url, conversations);
    return {
      name: `${conversations} conversations`,
      measure: async () => {
        await use(url);
        const figures: Record<string, number> = {};
        for (const [name, call] of Object.entries(callsOf(filled))) figures[name] = await p95Of(call);
        return figures;
      },
    };
  };
  try {
    const small = await side(SMALL);
    const large = await side(LARGE);
    const bars = [{ to: small.name, atMost: 2 }];
    const names = Object.keys(await small.measure());
    await compare('growth', {
      rounds,
      figures: Object.fromEntries(names.map((name) => [name, { unit: 'ms', bars }])),
      sides: [large, small],
    });
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

async function use(url: string): Promise<void> {
  await closeDatabase();
  setTestSettings({ DATABASE_URL: url });
}

function callsOf(filled: FilledInbox): Record<string, () => Promise<unknown>> {
  const { workspaceId, email } = filled;
  const calls: Record<string, () => Promise<unknown>> = {};
  for (const [name, filter] of Object.entries(inboxFilters(filled))) {
    calls[`list: ${name}`] = () => listInbox(db(), { filter: { workspaceId, ...filter } });
  }
  calls['search: contact by email'] = () => searchContacts(db(), { workspaceId, email, phone: undefined });
  calls['search: conversations of a contact'] = () => findConversationsOf({ workspaceId, email });
  const filter = { status: null, tag: null, command: null };
  for (const event of EVENT_KEYS) {
    calls[`samples of ${event}`] = () => listSamples({ workspaceId, event, filter });
  }
  return calls;
}

async function p95Of(call: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < WARM_CALLS; n += 1) await call();
  const times: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return percentile(times, 0.95);
}
