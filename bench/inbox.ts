import { join } from 'node:path';
import pg from 'pg';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import { migrate } from '#prisma/migrate.ts';
import { startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { lock } from '#scripts/start/lock.ts';
import { dataDirOf } from '#scripts/tools/project.ts';
import { listSamples } from '#server/automation/samples/list-samples.ts';
import { EVENT_KEYS } from '#server/contract/events/catalogue.ts';
import { closeDatabase, db, pool } from '#server/ground/db.ts';
import { getConversation } from '#server/inbox/conversations/get-conversation.ts';
import { countInbox, countViews } from '#server/inbox/conversations/list/count-inbox.ts';
import { filterChoices } from '#server/inbox/conversations/list/filter-choices.ts';
import type { InboxFilter } from '#server/inbox/conversations/list/inbox-filter.ts';
import { listInbox } from '#server/inbox/conversations/list/list-inbox.ts';
import { findConversationsOf } from '#server/inbox/conversations/search-conversations.ts';
import { searchContacts } from '#server/people/contacts/search-contacts.ts';
import { setTestSettings } from '#test/settings.ts';
import { statementsOf } from '#test/statements.ts';

// node bench/inbox.ts [conversations]: what the inbox and the API read in one workspace of that size (1,000,000 unless
// told, about three messages in each), on a PostgreSQL started here on 127.0.0.1. Filling takes some minutes, once.
const conversations = Number(process.argv[2] ?? 1_000_000);
const RUNS = 9;

const dataDir = join(dataDirOf(process.env), 'bench-postgres');
const taken = await lock(dataDir);
if ('heldBy' in taken) throw new Error('Another benchmark is running.');
const postgres = await startEmbeddedPostgres({
  dataDir,
  settings: { shared_buffers: '512MB', max_wal_size: '8GB', maintenance_work_mem: '512MB' },
});
try {
  const database = `inbox_${conversations}`;
  await postgres.ensureDatabase(database);
  await migrate(postgres.url(database));
  setTestSettings({ DATABASE_URL: postgres.url(database) });
  const { workspaceId, userId, teamId } = await fill(postgres.url(database));
  const known = await db().conversation.findFirstOrThrow({
    where: { workspaceId, contact: { email: { not: null } } },
    select: {
      id: true,
      contact: { select: { email: true } },
      messages: { select: { content: true }, take: 1 },
    },
  });
  const email = known.contact?.email ?? '';
  const orderNumber = /AB-\d+/.exec(known.messages[0]?.content ?? '')?.[0] ?? 'AB-0000001';
  const filters: Record<string, Omit<InboxFilter, 'workspaceId'>> = {
    open: { status: 'open' },
    'all statuses': {},
    'assigned to me, open': { status: 'open', assigneeId: userId },
    'assigned to me, all': { assigneeId: userId },
    'unassigned, open': { status: 'open', assigneeId: null },
    'team, closed': { status: 'closed', teamId },
    'channel, open': { status: 'open', channel: 'slack' },
    'team and channel and me': { teamId, channel: 'slack', assigneeId: userId },
    'tag, common': { tag: 'Refund' },
    'tag, common, pending': { tag: 'Refund', status: 'pending' },
    'tag, none': { tag: 'no such tag' },
    'search, very common word': { search: 'order ' },
    'search, common beginning': { search: 'the' },
    'search, less common words': { search: 'finland green' },
    'search, rare word (an order)': { search: orderNumber },
    'search, a first name': { search: 'yuki ' },
    'search, a whole name': { search: 'yuki nowak' },
    'search, email': { search: email },
    'search, found nowhere': { search: 'xylophone' },
    'search, common words never together': { search: 'xylophone order' },
    'search, common word and team, open': { search: 'refund', teamId, status: 'open' },
  };
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
  await report('choices of the filter', () => filterChoices(db(), workspaceId));
  console.log('\nconversation and API');
  await report('open a conversation', () => getConversation(db(), { workspaceId, id: known.id }));
  await report('API: contact by email', () => searchContacts(db(), { workspaceId, email, phone: undefined }));
  await report('API: conversations of a contact', () => findConversationsOf({ workspaceId, email }));
  for (const event of EVENT_KEYS) {
    const filter = { status: null, tag: null, command: null };
    await report(`API: samples of ${event}`, () => listSamples({ workspaceId, event, filter }));
  }
  await compareInserts(workspaceId, known.id);
} finally {
  await closeDatabase();
  await postgres.stop();
  await taken.release();
}

/** The workspace that an earlier run filled, or a new one. */
async function fill(url: string) {
  const name = `${conversations} conversations`;
  const known = await db().workspace.findFirst({ where: { name }, include: { members: true, teams: true } });
  const workspace = known ?? (await db().workspace.create({ data: { name: 'Being filled', plan: 'scale' } }));
  if (!known) {
    for (let n = 0; n < 12; n += 1) {
      const user = await db().user.create({
        data: { name: `Teammate ${n}`, email: `t${n}.${workspace.id}@bench.test` },
      });
      await db().member.create({ data: { workspaceId: workspace.id, userId: user.id, role: 'agent' } });
    }
    for (const team of ['Support', 'Billing', 'Sales']) {
      await db().team.create({ data: { workspaceId: workspace.id, name: team } });
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const started = performance.now();
    const seconds = () => Math.round((performance.now() - started) / 1000);
    // Only here: an index that is made at the end is made faster than one that grows.
    const indexes = ['messages', 'conversations', 'contacts'].map((table) => `${table}_search`);
    for (const index of indexes) await client.query(`drop index ${index}`);
    await client.query('set synchronous_commit = off');
    // What is made refers to what is there: checking each reference would double the time.
    await client.query('set session_replication_role = replica');
    await fillConversations(client, {
      workspaceId: workspace.id,
      count: conversations,
      onProgress: (made) => {
        if (made % 50_000 === 0) console.log(`${made} conversations after ${seconds()} s`);
      },
    });
    for (const index of indexes) {
      await client.query(`create index ${index} on ${index.replace('_search', '')} using gin (search)`);
    }
    await client.query('vacuum analyze');
    await client.end();
    // Only now: a run that was stopped is no workspace of this size.
    await db().workspace.update({ where: { id: workspace.id }, data: { name } });
    console.log(`Filled in ${seconds()} s.`);
  }
  const [member] = await db().member.findMany({ where: { workspaceId: workspace.id }, take: 1 });
  const [team] = await db().team.findMany({ where: { workspaceId: workspace.id }, take: 1 });
  if (!member || !team) throw new Error('The workspace is not whole.');
  return { workspaceId: workspace.id, userId: member.userId, teamId: team.id };
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

/** What searching costs a message that is written: the same inserts with its index and, rolled back, without it. */
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
  // The best of some, in turns: whatever else the machine does disturbs both alike.
  const times: { indexed: number; bare: number }[] = [];
  for (let turn = 0; turn < 4; turn += 1) times.push({ indexed: await time(false), bare: await time(true) });
  const indexed = Math.min(...times.map((each) => each.indexed));
  const bare = Math.min(...times.map((each) => each.bare));
  console.log(
    `\nA message is inserted in ${indexed.toFixed(3)} ms, without the index of words in ${bare.toFixed(3)} ms (${(indexed / bare).toFixed(2)} times).`,
  );
}
