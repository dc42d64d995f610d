import { NIL } from 'uuid';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { processDue, type RunLimits } from '#server/core/jobs/process-due.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { FlowCause } from '#server/inbox/conversations/flow-cause.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { isTimed, type TimedTrigger } from '#server/inbox/flows/flow.ts';
import { lockTargets } from '#server/inbox/flows/flow-targets.ts';
import { type LoadedFlow, loadFlows } from '#server/inbox/flows/load-flows.ts';
import { mayRun, readTextOf } from '#server/inbox/flows/run-caused-flows.ts';
import { runFlows } from '#server/inbox/flows/run-flows.ts';
import { readFlow } from '#server/inbox/flows/stored-flow.ts';

/** Maximum conversations of a flow in one run. The next run continues. */
const CONVERSATIONS_MAX = 100;

type StoredFlow = Cursor & { id: string; workspaceId: string; condition: unknown; actions: unknown };

/** The last waiting of a flow that had its turn, and the time of the database. Timestamps have microseconds. */
type Cursor = { until: string; untilId: string; now: string };

/** A conversation whose waiting reached the time of a flow. `since`: start of the waiting, with microseconds. */
type Waiting = { id: string; since: string };

/**
 * Runs flows on conversations that have waited for their time. `timed_until` of a flow is the start of the last waiting that had
 * its turn. Waitings start in the order of time, so each is found once, and those from before the flow never are.
 * @param limits of this run; the next run continues
 * @returns the number of flows that found conversations
 */
export async function runTimedFlows(limits?: Partial<RunLimits>): Promise<number> {
  return processDue('flow.not_timed', { find: findFlows, work: runFlow, ...limits });
}

/** Finds enabled flows with triggers of time, from the partial index `flows_timed`. */
function findFlows(limit: number, after: string): Promise<StoredFlow[]> {
  return sql().$queryRaw<StoredFlow[]>`
    select f.id, f.workspace_id as "workspaceId", f.condition, f.actions, f.timed_until::text as until,
      coalesce(f.timed_until_id, ${NIL}::uuid) as "untilId", now()::text as now
    from flows f join workspaces w on w.id = f.workspace_id
    where f.enabled and f.timed_until is not null and f.id > ${after}::uuid and w.deleted_at is null
    order by f.id limit ${limit}::int`;
}

async function runFlow({ id, workspaceId, until, untilId, now, ...stored }: StoredFlow): Promise<boolean> {
  const trigger = readFlow(stored)?.trigger;
  if (!trigger || !isTimed(trigger)) return false;
  const which = { id, workspaceId, trigger };
  const found = await findWaiting({ ...which, until, untilId, now });
  for (const waiting of found) await runOn(waiting, which);
  if (found.length < CONVERSATIONS_MAX) await skipOthers(which, now);
  return found.length > 0;
}

type Which = { id: string; workspaceId: string; trigger: TimedTrigger };

/** Finds the conversations whose waiting started after the cursor and is over, in the order of its start. */
function findWaiting({ workspaceId, trigger, until, untilId, now }: Which & Cursor): Promise<Waiting[]> {
  const { since, isWaiting, mayBeBetween = () => Prisma.sql`true` } = WAITINGS[trigger.kind](trigger);
  const after = Prisma.sql`${until}::timestamptz`;
  const before = Prisma.sql`${now}::timestamptz - make_interval(hours => ${trigger.hours}::int)`;
  return sql().$queryRaw<Waiting[]>`
    select c.id, ${since}::text as since
    from conversations c
    where c.workspace_id = ${workspaceId}::uuid and ${isWaiting} and ${IN_INBOX}
      and ${mayBeBetween(after, before)} and (${since}, c.id) > (${after}, ${untilId}::uuid) and ${since} <= ${before}
    order by ${since}, c.id limit ${CONVERSATIONS_MAX}::int`;
}

/** Moves the cursor past conversations that do not wait, once an hour, so that they are not read again each minute. */
async function skipOthers({ id, trigger }: Which, now: string): Promise<void> {
  const before = Prisma.sql`${now}::timestamptz - make_interval(hours => ${trigger.hours}::int)`;
  await sql().$executeRaw`
    update flows set timed_until = ${before}, timed_until_id = null
    where id = ${id}::uuid and timed_until < ${before} - interval '1 hour'`;
}

const IN_INBOX = Prisma.sql`c.merged_into_id is null and not c.is_test and c.removal is null`;

/**
 * Start of the waiting as an expression, and the condition under which a conversation waits. Each has an index of the inbox. A snoozed
 * conversation waits for its own time, which starts all of them again: the status changes, and the inbox lists it as new.
 * `mayBeBetween`: condition that every waiting between two times meets, for the indexes, if `since` has none.
 */
const WAITINGS: Record<
  TimedTrigger['kind'],
  (trigger: TimedTrigger) => Record<'since' | 'isWaiting', Prisma.Sql> & {
    mayBeBetween?: (after: Prisma.Sql, before: Prisma.Sql) => Prisma.Sql;
  }
> = {
  stayed: (trigger) => ({
    since: Prisma.sql`c.status_changed_at`,
    isWaiting: Prisma.sql`c.status = ${'status' in trigger ? trigger.status : 'open'}::conversation_status and c.snoozed_until is null`,
  }),
  // While it was parked, others that started to wait later had their turn: it waits again from when it was opened.
  team_silent: () => ({
    since: Prisma.sql`greatest(c.waiting_since, c.status_changed_at)`,
    isWaiting: Prisma.sql`c.status = 'open' and c.waiting_since is not null`,
    mayBeBetween: (after) => Prisma.sql`(c.waiting_since >= ${after} or c.status_changed_at >= ${after})`,
  }),
  // A contact who did not get a message cannot answer it. While the conversation was snoozed or solved, the cursor may have passed its
  // last message, so it waits again from when that ended. A change from open to pending does not start the wait again.
  contact_silent: () => ({
    since: Prisma.sql`greatest(c.last_message_at, (
      select max(t.created_at) from timeline_entries t
      where t.conversation_id = c.id and t.created_at > c.last_message_at and t.kind in ('status_changed', 'snooze_cancelled')
        and (t.data->>'from', t.data->>'to') is distinct from ('open', 'pending')))`,
    mayBeBetween: (after, before) =>
      Prisma.sql`(c.last_message_at >= ${after} or c.status_changed_at >= ${after}) and c.last_message_at <= ${before}`,
    isWaiting: Prisma.sql`c.status in ('open', 'pending') and c.waiting_since is null and c.snoozed_until is null
      and not c.has_failed_reply`,
  }),
};

/** Gives a waiting its turn, once: the flow's `timed_until` moves past it in the transaction of what the flow changes. */
async function runOn({ id, since }: Waiting, { workspaceId, trigger, id: flowId }: Which): Promise<void> {
  await sqlTransaction(async (tx) => {
    const flows = await loadFlows(tx, workspaceId);
    const findTargets = await lockTargets(tx, workspaceId, flows);
    const conversation = await lockConversation(tx, { workspaceId, id });
    const isFirst = await claim(tx, { id, since, flowId });
    if (!isFirst || !isEnabled(flows, flowId) || !mayRun(conversation)) return;
    if (!(await stillWaits(tx, { id, since, trigger }))) return;
    const causes = [causeOf(trigger, flowId)];
    const readText = () => readTextOf(tx, conversation, causes);
    await runFlows(tx, conversation, { flows, causes, readText, findTargets, now: new Date() });
  });
}

function isEnabled(flows: LoadedFlow[], flowId: string): boolean {
  return flows.some(({ id }) => id === flowId);
}

/** Moves `timed_until` to a waiting. Returns false if another worker has. */
async function claim(tx: SqlDb, { id, since, flowId }: Waiting & { flowId: string }): Promise<boolean> {
  const moved = await tx.$executeRaw`
    update flows set timed_until = ${since}::timestamptz, timed_until_id = ${id}::uuid
    where id = ${flowId}::uuid
      and (timed_until, coalesce(timed_until_id, ${NIL}::uuid)) < (${since}::timestamptz, ${id}::uuid)`;
  return moved === 1;
}

/** Checks a locked conversation again: someone may have answered it since it was found. */
async function stillWaits(
  tx: SqlDb,
  { id, since, trigger }: Waiting & { trigger: TimedTrigger },
): Promise<boolean> {
  const waiting = WAITINGS[trigger.kind](trigger);
  const found = await tx.$queryRaw<unknown[]>`
    select from conversations c
    where c.id = ${id}::uuid and ${waiting.isWaiting} and ${waiting.since} = ${since}::timestamptz`;
  return found.length > 0;
}

function causeOf(trigger: TimedTrigger, flowId: string): FlowCause {
  const { hours } = trigger;
  return trigger.kind === 'stayed'
    ? { kind: 'stayed', flowId, status: trigger.status, hours }
    : { kind: trigger.kind, flowId, hours };
}
