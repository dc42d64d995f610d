import { filledName, fillInbox, inboxFilters } from '#bench/lab/fill-inbox.ts';
import { startLabPostgres } from '#bench/lab/lab-postgres.ts';
import { migrate } from '#prisma/migrate.ts';
import { listSamples } from '#server/automation/samples/list-samples.ts';
import { searchContacts } from '#server/contacts/search-contacts.ts';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { findConversationsOf } from '#server/inbox/conversations/search-conversations.ts';
import { countInbox, countViews } from '#server/screens/inbox/count-inbox.ts';
import { getConversation } from '#server/screens/inbox/get-conversation.ts';
import { filterChoices } from '#server/screens/inbox/inbox.ts';
import { listInbox } from '#server/screens/inbox/list-inbox.ts';
import { statementsOf } from '#test/database/statements.ts';
import { setTestSettings } from '#test/servers/settings.ts';

// node bench/programs/inbox.ts [conversations]: measures the reads of the inbox and the API in one workspace
// of that size (1,000,000 by default, about three messages each), on a PostgreSQL started here on 127.0.0.1.
// The first run fills it for some minutes.
const conversations = Number(process.argv[2] ?? 1_000_000);
const RUNS = 9;

const postgres = await startLabPostgres({
  shared_buffers: '512MB',
  max_wal_size: '8GB',
  maintenance_work_mem: '512MB',
});
try {
  const database = filledName(conversations);
  await postgres.ensureDatabase(database);
  await migrate(postgres.url(database));
  setTestSettings({ DATABASE_URL: postgres.url(database) });
  const filled = await fillInbox(postgres.url(database), conversations);
  const { workspaceId, userId, conversationId, email } = filled;
  const filters = inboxFilters(filled);
  console.log(`\n${'list'.padEnd(44)} ms (median)  worst  statements  buffers`);
  for (const [name, filter] of Object.entries(filters)) {
    await report(name, () => listInbox(db(), { filter: { workspaceId, ...filter } }));
  }
  let cursor: string | null = null;
  for (let page = 0; page < 20; page += 1) {
    cursor = (await listInbox(db(), { filter: { workspaceId }, ...(cursor ? { cursor } : {}) })).nextCursor;
  }
  await report('all statuses, page 21', () =>
    listInbox(db(), { filter: { workspaceId }, ...(cursor ? { cursor } : {}) }),
  );
  console.log('\ncounts');
  for (const [name, filter] of Object.entries(filters)) {
    await report(name, () => countInbox(db(), { workspaceId, ...filter }));
  }
  await report('views of the sidebar', () => countViews(db(), { workspaceId, userId }));
  await report('choices of the filter', () => filterChoices(db(), { id: workspaceId, visibility: null }));
  console.log('\nconversation and API');
  await report('open a conversation', () => getConversation(db(), { workspaceId, id: conversationId }));
  await report('API: contact by email', () => searchContacts(db(), { workspaceId, email, phone: undefined }));
  await report('API: conversations of a contact', () => findConversationsOf(workspaceId, { email }));
  for (const event of EVENT_KEYS) {
    const filter = { status: null, tag: null, command: null };
    await report(`API: samples of ${event}`, () => listSamples({ workspaceId, event, filter }));
  }
  await compareInserts(workspaceId, conversationId);
} finally {
  await closeDatabase();
  await postgres.stop();
}

async function report(name: string, call: () => Promise<unknown>): Promise<void> {
  const statements = await statementsOf(call);
  let buffers = 0;
  for (const { text, values } of statements) {
    const { rows } = await pool().query(`explain (analyze, buffers, format json) ${text}`, values);
    const plan = rows[0]['QUERY PLAN'][0].Plan;
    buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const [median = 0, worst = 0] = [times[Math.floor(RUNS / 2)], times.at(-1)];
  console.log(
    `${name.padEnd(44)} ${median.toFixed(1).padStart(11)} ${worst.toFixed(1).padStart(6)} ${String(statements.length).padStart(11)} ${String(buffers).padStart(8)}`,
  );
}

/**
 * Measures the cost of the search index for a new message: the same inserts with the index and without it,
 * rolled back.
 */
async function compareInserts(workspaceId: string, conversationId: string): Promise<void> {
  const insert = `insert into messages (id, workspace_id, conversation_id, direction, author_kind, content)
    select gen_random_uuid(), $1::uuid, $2::uuid, 'inbound', 'contact', content
    from (select content from messages limit 1) one`;
  const time = async (drop: boolean) => {
    const client = await pool().connect();
    try {
      await client.query('begin');
      if (drop) await client.query('drop index messages_search');
      const start = performance.now();
      for (let n = 0; n < 1_000; n += 1) await client.query(insert, [workspaceId, conversationId]);
      return (performance.now() - start) / 1_000;
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  // Take the best of several alternating runs: other load on the machine affects both.
  const times: { indexed: number; bare: number }[] = [];
  for (let turn = 0; turn < 4; turn += 1) times.push({ indexed: await time(false), bare: await time(true) });
  const indexed = Math.min(...times.map((each) => each.indexed));
  const bare = Math.min(...times.map((each) => each.bare));
  console.log(
    `\nA message is inserted in ${indexed.toFixed(3)} ms, without the search index in ${bare.toFixed(3)} ms (${(indexed / bare).toFixed(2)} times).`,
  );
}
