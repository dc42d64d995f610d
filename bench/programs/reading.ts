import { startLabPostgres } from '#bench/lab/lab-postgres.ts';
import { migrate } from '#prisma/migrate.ts';
import { listSamples } from '#server/automation/samples/list-samples.ts';
import { searchContacts } from '#server/contacts/search-contacts.ts';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { findConversationsOf } from '#server/inbox/conversations/search-conversations.ts';
import { fillWorkspace } from '#test/database/large-workspace.ts';
import { readPlan } from '#test/database/read-plan.ts';
import { statementsOf } from '#test/database/statements.ts';
import { setTestSettings } from '#test/servers/settings.ts';

// node bench/programs/reading.ts [conversations] [contacts]: measures the rows read by every search and
// sample in one workspace of that size (1,000,000 and 200,000 by default), on a PostgreSQL started here on
// 127.0.0.1. Filling takes some minutes.
const [conversations = 1_000_000, contacts = 200_000] = process.argv.slice(2).map(Number);
const RUNS = 20;
const NO_FILTER = { status: null, tag: null, command: null };

const postgres = await startLabPostgres();
try {
  await postgres.ensureDatabase('reading');
  await migrate(postgres.url('reading'));
  setTestSettings({ DATABASE_URL: postgres.url('reading') });
  const workspaceId = await fill();
  const email = 'contact0@example.test';
  const calls: Record<string, () => Promise<unknown>> = {
    'contact by email': () => searchContacts(db(), { workspaceId, email, phone: undefined }),
    'contacts by a common phone': () =>
      searchContacts(db(), { workspaceId, email: undefined, phone: '49301234' }),
    'conversations of a busy contact': () => findConversationsOf(workspaceId, { email }),
    'the same, solved': () => findConversationsOf(workspaceId, { email, status: 'solved' }),
    'samples of a tag': () =>
      listSamples({ workspaceId, event: 'conversation.tagged', filter: { ...NO_FILTER, tag: 'tag1' } }),
  };
  for (const event of EVENT_KEYS) {
    calls[`samples of ${event}`] = () => listSamples({ workspaceId, event, filter: NO_FILTER });
  }
  for (const [name, call] of Object.entries(calls)) console.log(name.padEnd(42), await measure(call));
} finally {
  await closeDatabase();
  await postgres.stop();
}

/** Finds the workspace that an earlier run with these sizes filled, or fills a new one. */
async function fill(): Promise<string> {
  const name = `${conversations} conversations, ${contacts} contacts`;
  const known = await db().workspace.findFirst({ where: { name } });
  if (known) return known.id;
  const workspace = await db().workspace.create({ data: { name, plan: 'scale' } });
  const user = await db().user.create({ data: { name: 'O', email: `${workspace.id}@o.test` } });
  await db().member.create({ data: { workspaceId: workspace.id, userId: user.id, role: 'owner' } });
  const team = await db().team.create({ data: { workspaceId: workspace.id, name: 'Support' } });
  const started = performance.now();
  await fillWorkspace(
    { workspaceId: workspace.id, userId: user.id, teamId: team.id },
    { contacts, conversations },
  );
  await db().$executeRaw`analyze`;
  console.log(`Filled in ${Math.round((performance.now() - started) / 1000)} s.`);
  return workspace.id;
}

/** Returns rows read, sequentially scanned tables, and the median time of a call in ms. */
async function measure(call: () => Promise<unknown>): Promise<string> {
  const readings = await Promise.all((await statementsOf(call)).map(readPlan));
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  const rows = readings.reduce((sum, reading) => sum + reading.rows, 0);
  const scanned = readings.flatMap((reading) => reading.scanned).join(', ') || 'none';
  const median = times.toSorted((a, b) => a - b)[RUNS / 2] ?? 0;
  return `${rows} rows, scanned: ${scanned}, ${median.toFixed(1)} ms`;
}
