import { anonymizeConversation } from '#server/administration/retention/anonymize-conversation.ts';
import { dueBefore, isDueConversation } from '#server/administration/retention/due-rows.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { cleanUpPool } from '#server/core/database/pools.ts';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { removeIn } from '#server/inbox/conversations/removal.ts';

/** Conversations for which all events of the workspace are read once: about as many as are anonymized within a turn. */
const BATCH = 1_000;
/** Maximum number of events that one statement deletes, to hold locks briefly. */
const EVENTS_BATCH = 500;
/** Conversations that may fail or change before a run gives up. */
const TRIED_MAX = 1_000;

const DUE = Prisma.raw(isDueConversation(dueBefore('r.conversation_days')));

/** `version`: when the conversation was last changed, as text, because a date has no microseconds. */
type Due = { id: string; version: string; anonymizes: boolean };

/**
 * Deletes or anonymizes the due conversations of a workspace. A conversation that fails is logged, and the next run tries it again.
 * @returns whether there are more: false when all were tried or the time is up
 */
export async function applyToConversations(workspaceId: string, until: number): Promise<boolean> {
  const tried: string[] = [];
  for (;;) {
    const found = await findDue(workspaceId, tried);
    if (found.some(({ anonymizes }) => anonymizes) && !(await deleteEvents(workspaceId, found, until)))
      return true;
    for (const due of found) {
      if (!(await tryToApply(workspaceId, due))) tried.push(due.id);
      // Afterwards: each run makes progress, even on a slow database.
      if (performance.now() > until) return true;
    }
    if (found.length < BATCH || tried.length > TRIED_MAX) return false;
  }
}

async function tryToApply(workspaceId: string, due: Due): Promise<boolean> {
  try {
    return await sqlTransaction((tx) => apply(tx, workspaceId, due));
  } catch (error) {
    log().warn({ err: error, conversationId: due.id }, 'retention.conversation_failed');
    return false;
  }
}

/** Anonymized conversations are due only for a rule that deletes. */
function findDue(workspaceId: string, tried: string[]): Promise<Due[]> {
  const due = (condition: Prisma.Sql) => Prisma.sql`(
    select c.id, c.updated_at::text as version, r.anonymizes from retention_rules r
    join conversations c on c.workspace_id = r.workspace_id
    where r.workspace_id = ${workspaceId}::uuid and r.starts_at <= now() and ${condition} and ${DUE}
      and c.id <> all(${tried}::uuid[])
    order by c.last_message_at limit ${BATCH}::int)`;
  return sql().$queryRaw<Due[]>`
    ${due(Prisma.sql`c.anonymized_at is null`)} union all
    ${due(Prisma.sql`c.anonymized_at is not null and not r.anonymizes`)} limit ${BATCH}::int`;
}

/**
 * Deletes the events of conversations, with their deliveries, before they are anonymized. Lock order everywhere: hooks by id, then
 * deliveries, then conversations. A conversation that changes afterwards, and so may have another event, is not anonymized in this run.
 * @returns false when the time was up before all were deleted
 */
async function deleteEvents(workspaceId: string, found: Due[], until: number): Promise<boolean> {
  const values = [workspaceId, found.map(({ id }) => id)];
  for (const statement of DELETE_EVENTS) {
    for (;;) {
      const { rows } = await cleanUpPool().query<{ chosen: number }>(statement, values);
      // Fewer than a batch: these were the last. Others may have deleted some of them at the same time.
      if ((rows[0]?.chosen ?? 0) < EVENTS_BATCH) break;
      if (performance.now() > until) return false;
    }
  }
  return true;
}

/** The body is read only of events of versions before the log, which have the position 0 and do not name their conversation. */
const DELETE_EVENTS = [
  'conversation_id in (select id from named)',
  `log_position = 0 and body::jsonb #>> '{conversation,id}' in (select id::text from named)`,
].map(
  (which) => `
    with named as materialized (
      select id from conversations where workspace_id = $1 and (id = any($2::uuid[]) or merged_into_id = any($2::uuid[]))
    ), chosen as materialized (
      select id from events where workspace_id = $1 and ${which} limit ${EVENTS_BATCH}
    ), locked_hooks as materialized (
      select id from hooks where id in (select d.hook_id from deliveries d join chosen c on c.id = d.event_id)
      order by id for no key update
    ), deleted as (
      delete from events where id in (select id from chosen) and (select count(*) from locked_hooks) >= 0
    )
    select count(*)::int as chosen from chosen`,
);

/** Applies the rule to a conversation, unless it is no longer due: someone wrote, reopened it or changed the rule. */
async function apply(tx: SqlDb, workspaceId: string, due: Due): Promise<boolean> {
  // Merges lock in the same order.
  await tx.$executeRaw`
    select from conversations where workspace_id = ${workspaceId}::uuid
      and (id = ${due.id}::uuid or merged_into_id = ${due.id}::uuid) order by id for no key update`;
  const [rule] = await tx.$queryRaw<{ anonymizes: boolean }[]>`
    select r.anonymizes from retention_rules r join conversations c on c.workspace_id = r.workspace_id
    where r.workspace_id = ${workspaceId}::uuid and r.starts_at <= now() and r.anonymizes = ${due.anonymizes}
      and c.id = ${due.id}::uuid and (not r.anonymizes or c.anonymized_at is null and c.updated_at = ${due.version}::timestamptz)
      and ${DUE}`;
  if (!rule) return false;
  if (rule.anonymizes) await anonymizeConversation(tx, { workspaceId, id: due.id });
  else await removeIn(tx, { workspaceId, id: due.id, to: 'deleted', actor: { kind: 'automatic' } });
  const kind = rule.anonymizes ? 'anonymized' : 'deleted';
  await tx.$executeRaw`
    update retention_rules set counts = counts ||
      jsonb_build_object(${kind}::text, coalesce((counts ->> ${kind}::text)::int, 0) + 1)
    where workspace_id = ${workspaceId}::uuid`;
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
  return true;
}
