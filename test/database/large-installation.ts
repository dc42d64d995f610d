import { COMPANIES_MAX } from '#server/contacts/choose-company.ts';
import { closeDatabase, type Db, db } from '#server/core/database/prisma.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { inBulk } from '#test/database/in-bulk.ts';
import { fillWithRest, fillWorkspace } from '#test/database/large-workspace.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';
import { setTestSettings } from '#test/servers/settings.ts';

/** Names of the workspaces of a large installation. */
export const YEARS = 'Years';
export const BUSY = 'Busy';
export const WORDS = 'Words';
export const LOG = 'Log';

/** Conversations of the workspace `BUSY`: so many that no plan sorts all of them to read the 20,000 of a scan. */
export const BUSY_CONVERSATIONS = 40_900;
/** Its oldest conversations are overdue and were created today, and one of them is urgent. */
export const OLDEST = 40;
/** Its conversations in which no contact waits and no SLA clock runs. */
const PLAIN = [30_001, 30_100] as const;
/** Its newest conversations, which lack the tag and the word of all others. */
export const NEWEST = 1_500;
/** Its conversations of the contact Many, with the newest, and of the contact Few. */
export const OF_MANY = 20_001;
export const OF_FEW = 10_000;

/** Conversations with a word in the workspace `WORDS`, which has one in each `EVERY`. */
export const MATCHES = 66;
export const EVERY = 60;

/** Deliveries that wait for a retry in a workspace beside `LOG`. */
export const WAITING = 20_000;
/** Ended deliveries of `LOG`, and of the workspace beside it. */
const ENDED = 30_000;
const ENDED_ELSEWHERE = 10_000;

/** Fills an empty database with workspaces in which every list and log is long, each with unfavourable data. */
export async function fillInstallation(url: string): Promise<void> {
  setTestSettings({ DATABASE_URL: url });
  try {
    const years = await makeYears();
    const [busy, words] = [await makeReaders(BUSY), await makeReaders(WORDS)];
    const teams = Array.from({ length: 24 }, (_, n) => ({
      workspaceId: busy.workspaceId,
      name: `Team ${10 + n}`,
    }));
    await db().team.createMany({ data: [{ workspaceId: busy.workspaceId, name: 'Billing' }, ...teams] });
    const connection = await makeConnection();
    await db().workspace.update({ where: { id: connection.workspaceId }, data: { name: LOG } });
    const [log, rare] = [
      await makeHook(connection),
      await makeHook(connection, { event: 'contact.created' }),
    ];
    const elsewhere = await makeHook(await makeConnection());
    await forgetJobs();
    await inBulk(async (bulk) => {
      await fillWorkspace(years, { contacts: 4_000, conversations: 12_000 });
      await fillWithRest(bulk, years);
      await fillBusy(bulk, busy);
      await fillWords(bulk, words.workspaceId);
      await fillLog(bulk, log, ENDED);
      await fillLog(bulk, rare, 60);
      await fillLog(bulk, elsewhere, ENDED_ELSEWHERE);
      await fillBacklog(bulk, elsewhere);
      // As autovacuum does. It also moves pending entries of the bulk inserts into the search indexes.
      await bulk.$executeRaw`vacuum analyze`;
    });
  } finally {
    await closeDatabase();
  }
}

/** Creates a workspace with one of everything, of which nothing waits for a worker. */
async function makeYears() {
  const whole = await makeWholeWorkspace();
  const { workspaceId } = whole;
  await db().workspace.update({ where: { id: workspaceId }, data: { name: YEARS } });
  await db().delivery.updateMany({
    where: { workspaceId },
    data: { endedAt: new Date(), outcome: 'delivered', nextAttemptAt: null },
  });
  return whole;
}

/** Creates a workspace with an agent, who reads its lists, and an owner. */
async function makeReaders(name: string) {
  const { id: workspaceId } = await makeWorkspace({ name });
  const reader = await makeUser('Rita Reader', { workspaceId, role: 'agent' });
  const other = await makeUser('Otto Other', { workspaceId, role: 'owner' });
  return { workspaceId, readerId: reader.id, otherId: other.id };
}

/**
 * Fills an inbox with open conversations, a message each minute. The reader has read the newest hundred, the other
 * teammate all. The reader, nobody, and most teams have a few hundred conversations each; one team has 99.
 */
async function fillBusy(
  bulk: Db,
  { workspaceId, readerId, otherId }: { workspaceId: string; readerId: string; otherId: string },
): Promise<void> {
  await bulk.$executeRaw`
    update members set read_before = now() - interval '29 days 12 hours' where workspace_id = ${workspaceId}::uuid`;
  await bulk.$executeRaw`
    with contact as (
      insert into contacts (id, workspace_id, first_name)
      select gen_random_uuid(), ${workspaceId}::uuid, name from unnest(array['Few', 'Many']) name
      returning id, first_name as name
    ), made as (
      insert into conversations (id, workspace_id, channel, subject, contact_id, assignee_id, assigned_at, team_id, priority,
        last_message_at, last_inbound_at, waiting_since, next_due_at, created_at, updated_at)
      select gen_random_uuid(), ${workspaceId}::uuid, 'email',
        'Number ' || n || case when n > ${NEWEST}::int then ' recalled' else '' end, contact.id, whose,
        case when whose is not null then now() end, teams.id,
        (case when n = ${BUSY_CONVERSATIONS}::int then 'urgent' else 'normal' end)::priority, at, at,
        case when not is_plain then now() - n * interval '2 minutes' end,
        case when is_oldest then now() - interval '1 hour' when not is_plain then now() + interval '1 day' + n * interval '1 minute' end,
        case when is_oldest then now() else now() - interval '60 days' end, now()
      from (
        select n, now() - n * interval '1 minute' as at, n > ${BUSY_CONVERSATIONS - OLDEST}::int as is_oldest,
          n between ${PLAIN[0]}::int and ${PLAIN[1]}::int as is_plain,
          case n % 100 when 0 then ${readerId}::uuid when 1 then null else ${otherId}::uuid end as whose
        from generate_series(1, ${BUSY_CONVERSATIONS}::int) n
      ) given
      left join contact on contact.name = case
        when n <= ${OF_MANY}::int then 'Many' when n <= ${OF_MANY + OF_FEW}::int then 'Few' end
      left join teams on teams.workspace_id = ${workspaceId}::uuid and teams.name = case
        when is_oldest and n % 2 = 0 or n % 100 = 2 then 'Billing'
        when is_oldest or n % 100 = 10 and n > 9900 then null
        when n % 100 between 10 and 33 then 'Team ' || n % 100 end
      order by n
      returning id, subject, last_inbound_at
    ), tagged as (
      insert into conversation_tags (conversation_id, workspace_id, key, name)
      select id, ${workspaceId}::uuid, 'recall', 'Recall' from made where subject like '%recalled'
    )
    insert into conversation_reads (conversation_id, user_id, workspace_id, read_until)
    select id, ${otherId}::uuid, ${workspaceId}::uuid, last_inbound_at from made
    union all (
      select id, ${readerId}::uuid, ${workspaceId}::uuid, last_inbound_at from made order by last_inbound_at desc limit 100
    )`;
  await bulk.$executeRaw`
    insert into companies (id, workspace_id, name)
    select gen_random_uuid(), ${workspaceId}::uuid, 'Company ' || n from generate_series(1, ${COMPANIES_MAX - 1}::int) n`;
}

/** More messages than a scan finds by their index. */
const MESSAGES = 1_100;

/**
 * Adds a conversation each minute. Every sixtieth has both words: in turns in the name of its contact, in its subject, in a
 * message and in a note. The oldest one has more messages with the second word.
 */
async function fillWords(bulk: Db, workspaceId: string): Promise<void> {
  await bulk.$executeRaw`
    with given as (
      select n, gen_random_uuid() as id, gen_random_uuid() as contact_id, now() - n * interval '1 minute' as at,
        case when n % ${EVERY}::int = 0 then n / ${EVERY}::int % 4 end as place
      from generate_series(1, ${EVERY * MATCHES + 1}::int) n
    ), contact as (
      insert into contacts (id, workspace_id, first_name, updated_at)
      select contact_id, ${workspaceId}::uuid, case when place = 0 then 'Yuki Haruto' else 'Somebody' end, now() from given
    ), conversation as (
      insert into conversations (id, workspace_id, channel, subject, contact_id, last_message_at, updated_at)
      select id, ${workspaceId}::uuid, 'email', case when place = 1 then 'Yuki Haruto ' else 'Number ' end || n, contact_id, at, now() from given
    ), message as (
      insert into messages (id, workspace_id, conversation_id, direction, author_kind, content, created_at)
      select gen_random_uuid(), ${workspaceId}::uuid, id, 'inbound', 'contact',
        case when place = 2 then 'Yuki and Haruto' else 'Hello' end, at from given
    )
    insert into notes (id, workspace_id, conversation_id, author_kind, content)
    select gen_random_uuid(), ${workspaceId}::uuid, id, 'teammate', 'Yuki called Haruto' from given where place = 3`;
  await bulk.$executeRaw`
    insert into messages (id, workspace_id, conversation_id, direction, author_kind, content)
    select gen_random_uuid(), workspace_id, id, 'inbound', 'contact', 'Haruto'
    from conversations, generate_series(1, ${MESSAGES}::int)
    where workspace_id = ${workspaceId}::uuid and subject = ${`Number ${EVERY * MATCHES}`}`;
}

/**
 * Adds ended deliveries of a hook, one each ten seconds. Every hundredth failed and every thousandth was cancelled.
 * Partitions are chosen by the time in an id. Ids after all days go into one partition; others could hit a day by chance.
 */
async function fillLog(bulk: Db, hook: Hook, count: number): Promise<void> {
  await bulk.$executeRaw`
    with made as materialized (
      select ('f' || substr(gen_random_uuid()::text, 2))::uuid as id, n, now() - n * interval '10 seconds' as created_at
      from generate_series(1, ${count}::int) n
    ), recorded as (
      insert into events (id, workspace_id, key, body, created_at)
      select id, ${hook.workspaceId}::uuid, ${hook.event}, '{}', created_at from made
    ), delivered as (
      insert into deliveries (id, workspace_id, event_id, hook_id, attempts, ended_at, outcome, created_at)
      select gen_random_uuid(), ${hook.workspaceId}::uuid, id, ${hook.id}::uuid, 1, created_at,
        (case when n % 1000 = 0 then 'cancelled' when n % 100 = 0 then 'dropped' else 'delivered' end)::delivery_outcome,
        created_at
      from made
      returning id, event_id, outcome, created_at
    )
    insert into attempts (event_id, delivery_id, number, outcome, status_code, started_at, duration_ms)
    select event_id, id, 1, (case when outcome = 'delivered' then 'delivered' else 'rejected' end)::attempt_outcome, 200, created_at, 1
    from delivered`;
}

/** Adds deliveries of a hook that wait for their next attempt. */
async function fillBacklog(bulk: Db, hook: Hook): Promise<void> {
  await bulk.$executeRaw`
    with recorded as (
      insert into events (id, workspace_id, key, body)
      select ('f' || substr(gen_random_uuid()::text, 2))::uuid, ${hook.workspaceId}::uuid, ${hook.event}, '{}'
      from generate_series(1, ${WAITING}::int)
      returning id
    ), waiting as (
      insert into deliveries (id, workspace_id, event_id, hook_id, attempts, next_attempt_at)
      select gen_random_uuid(), ${hook.workspaceId}::uuid, id, ${hook.id}::uuid, 1, now() + interval '1 day' from recorded
    )
    insert into hook_queue (hook_id, due_at) values (${hook.id}::uuid, now() + interval '1 day')`;
}
