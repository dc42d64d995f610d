import { validate as isUuid } from 'uuid';
import { pool } from '#server/core/database/pools.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Maximum deliveries that one statement cancels, to hold locks briefly. */
const BATCH = 1_000;

/** The conversation and those that were merged into it, unless it was restored in the meantime. */
const REMOVED = `
  removed as materialized (
    select c.id::text as id from conversations d join conversations c on c.workspace_id = d.workspace_id
      and (c.id = d.id or c.merged_into_id = d.id)
    where d.workspace_id = $1 and d.id = $2 and d.removal is not null
  )`;

/** The conversation of event `e`. Events of versions before the log have it in their body only, which is slow to parse. */
const CONVERSATION = `coalesce(e.conversation_id::text, e.body::jsonb #>> '{conversation,id}')`;

const UNQUEUE = `
  with ${REMOVED}
  delete from events_to_fan_out where exists (select from removed) and event_id in (
    select f.event_id from events_to_fan_out f
    cross join lateral (select workspace_id, conversation_id, body from events where id = f.event_id limit 1) e
    where e.workspace_id = $1 and ${CONVERSATION} in (select id from removed))`;

/** Deliveries that a worker or `redeliverFailed` could send. Lock order everywhere: hooks by id, then deliveries. */
const CANCEL = `
  with ${REMOVED}, open as materialized (
    select d.event_id, d.hook_id from hooks h
    join deliveries d on d.hook_id = h.id and d.ended_at is null
    where h.workspace_id = $1 and exists (select from removed)
    union all
    select event_id, hook_id from deliveries
    where workspace_id = $1 and outcome in ('dropped', 'exhausted') and ended_at > now() - interval '2 days'
      and exists (select from removed)
  ), chosen as materialized (
    select o.* from open o cross join lateral (select conversation_id, body from events where id = o.event_id limit 1) e
    where ${CONVERSATION} in (select id from removed)
    limit ${BATCH}
  ), locked_hooks as materialized (
    select id from hooks where id in (select hook_id from chosen) order by id for no key update
  )
  update deliveries d set ended_at = now(), outcome = 'cancelled', next_attempt_at = null
  from chosen c join locked_hooks h on h.id = c.hook_id
  where d.event_id = c.event_id and d.hook_id = c.hook_id
    and (d.ended_at is null or d.outcome in ('dropped', 'exhausted'))`;

/**
 * Cancels the events of a spam or deleted conversation that hooks have not received (docs/rulings.md 3.34). Events in the
 * fan-out queue are deleted first, so that none becomes a delivery afterwards. Idempotent.
 */
export async function cancelEvents(which: { workspaceId: string; conversationId: string }): Promise<void> {
  const { workspaceId, conversationId } = which;
  const values = [workspaceId, conversationId];
  await pool().query(UNQUEUE, values);
  let total = 0;
  for (let ended = BATCH; ended === BATCH; total += ended) {
    ended = (await pool().query(CANCEL, values)).rowCount ?? 0;
  }
  if (total > 0) publish(workspaceId, 'deliveries');
}

/**
 * Returns whether a delivery's event is about a spam or deleted conversation. Locks the conversation, so that it is not
 * removed before the caller's transaction ends.
 */
export async function isOfRemoved(
  tx: Tx,
  { workspaceId, deliveryId }: { workspaceId: string; deliveryId: string },
): Promise<boolean> {
  const [event] = await tx.$queryRaw<{ conversationId: string | null }[]>`
    select ${Prisma.raw(CONVERSATION)} as "conversationId"
    from deliveries d join events e on e.workspace_id = d.workspace_id and e.id = d.event_id
    where d.id = ${deliveryId}::uuid and d.workspace_id = ${workspaceId}::uuid`;
  const id = event?.conversationId ?? '';
  if (!isUuid(id)) return false;
  const locked = await tx.$queryRaw<{ removal: string | null }[]>`
    select removal::text as removal from conversations
    where workspace_id = ${workspaceId}::uuid and id in (
      select unnest(array[id, merged_into_id]) from conversations
      where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid)
    order by id for share`;
  return locked.some(({ removal }) => removal !== null);
}
