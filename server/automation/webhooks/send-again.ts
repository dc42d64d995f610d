import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { isOfRemoved } from '#server/automation/deliveries/cancel-events.ts';
import { wakeHooks } from '#server/automation/deliveries/hook-queue.ts';
import { THROTTLED_PER_SECOND } from '#server/automation/deliveries/pace.ts';
import { ALL_EVENTS } from '#server/contract/program-events.ts';
import { eventBody } from '#server/contract/record-events.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { type AuditAuthor, addAuditEntry } from '#server/teammates/audit-log.ts';

type Which = { workspaceId: string; id: string };

const NOT_ENABLED = 'This webhook endpoint is not enabled, so nothing is sent to it. Enable it first.';
const BATCH = 500;

/**
 * Sends an event to an endpoint once more, with a full schedule of attempts.
 * @returns the id of the delivery
 * @throws Refusal when the endpoint has no such delivery, is not enabled or is being sent the event, or the event is about a spam
 *   or deleted conversation
 */
export async function resendDelivery(
  tx: Tx,
  { deliveryId, ...which }: Which & { deliveryId: string },
): Promise<{ id: string }> {
  const { workspaceId, id } = which;
  await lockEnabled(tx, which);
  const delivery = isUuid(deliveryId)
    ? await tx.delivery.findFirst({
        where: { id: deliveryId, workspaceId, hookId: id },
        select: { id: true },
      })
    : null;
  if (!delivery) throw notFound('The delivery');
  if (await isOfRemoved(tx, { workspaceId, deliveryId })) throw invalid({ delivery: [REMOVED] });
  const queued = await tx.$executeRaw`
    update deliveries set ended_at = null, outcome = null, next_attempt_at = now(), earlier_attempts = attempts,
      had_error_status = false
    where id = ${deliveryId}::uuid and workspace_id = ${workspaceId}::uuid and ended_at is not null`;
  if (queued === 0) throw invalid({ delivery: ['This event is already being sent.'] });
  await wakeHooks(tx, [id]);
  return delivery;
}

const REMOVED = 'This event is about a spam or deleted conversation. Move it back to the inbox first.';

/**
 * Sends a test event, `webhook.test`, which is not in the event log.
 * @returns the id of the delivery
 * @throws Refusal when the endpoint does not exist or is not enabled
 */
export async function sendTestEvent(
  tx: Tx,
  { by, ...which }: Which & { by: AuditAuthor },
): Promise<{ id: string }> {
  const { workspaceId, id } = which;
  await lockEnabled(tx, which);
  const now = new Date();
  const eventId = uuidv7();
  const payload = { webhook_id: id, message: `${by.name} sent this event to test the endpoint.` };
  const body = JSON.stringify(eventBody({ id: eventId, key: 'webhook.test', occurredAt: now, payload }));
  const actor = { type: by.id === null ? 'program' : 'teammate', id: by.id, name: by.name };
  await tx.$executeRaw`
    insert into events (id, workspace_id, key, body, actor, log_position)
    values (${eventId}::uuid, ${workspaceId}::uuid, 'webhook.test', ${body}, ${JSON.stringify(actor)}::json, 0)`;
  const delivery = await tx.delivery.create({
    data: { workspaceId, eventId, hookId: id, nextAttemptAt: now },
    select: { id: true },
  });
  await wakeHooks(tx, [id]);
  return delivery;
}

/**
 * Queues a replay: every event since then that the endpoint listens for and has not received is sent, the oldest first.
 * @throws Refusal when the endpoint does not exist or is not enabled, or the time is in the future or too long ago
 */
export async function replayEvents(
  tx: Tx,
  { since, by, ...which }: Which & { since: Date; by: AuditAuthor },
): Promise<void> {
  const { workspaceId, id } = which;
  const url = await lockEnabled(tx, which);
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  const now = clock?.now ?? new Date();
  const days = settings().HISTORY_DAYS;
  const oldest = now.getTime() - days * DAY_MS - TOLERANCE_MS;
  if (since.getTime() > now.getTime() || since.getTime() < oldest) {
    throw invalid({ since: [`Choose a time of the last ${days} days.`] });
  }
  await queueReplay(tx, { endpointId: id, since, before: now }, 0);
  const data = { url, since: timestamp(since) };
  await addAuditEntry(tx, { workspaceId, kind: 'webhook_replayed', by, data });
}

const DAY_MS = 86_400_000;
/** A caller who asks for all of `HISTORY_DAYS` reads another clock, and earlier. Events are removed by whole days, so they still exist. */
const TOLERANCE_MS = 3_600_000;

/** `after`: id of the last event of the batch before. */
type Replay = { endpointId: string; since: Date; before: Date; after?: string | undefined };

/** The key makes one chain for each request: a batch whose job runs again does not queue a second successor. */
async function queueReplay(tx: Tx, replay: Replay, inSeconds: number): Promise<void> {
  const { endpointId, since, before, after } = replay;
  const key = ['replay-webhook', endpointId, before.toISOString()].join(' ');
  const payload = { endpointId, since: since.toISOString(), before: before.toISOString(), after };
  await queueJob(tx, 'replay-webhook', payload, { inSeconds, key });
}

/**
 * Makes the events of the next batch due, and queues the following one for after them. Idempotent: an event that is being sent
 * or was received is skipped. Stops when the endpoint is not enabled any more.
 */
export async function replayBatch(replay: Replay): Promise<void> {
  const { endpointId: id, since, before, after } = replay;
  await inTransaction(async (tx) => {
    const [endpoint] = await tx.$queryRaw<{ workspaceId: string }[]>`
      select h.workspace_id as "workspaceId" from hooks h
      where h.id = ${id}::uuid and h.removed_at is null and exists (select from webhook_endpoints w where w.id = h.id)
      for no key update`;
    if (!endpoint) return;
    const { workspaceId } = endpoint;
    // Ids of events increase with the time at which they were recorded, except those of commands. The conversations are locked, so
    // that a removal either is seen here or cancels these deliveries.
    const [batch] = await tx.$queryRaw<{ read: number; queued: number; last: string | null }[]>`
      with chosen as materialized (
        select e.id, e.key, e.cause_id, e.conversation_id from events e
        where e.workspace_id = ${workspaceId}::uuid and e.created_at >= ${since}::timestamptz
          and e.created_at <= ${before}::timestamptz and e.id > ${after ?? NONE}::uuid and e.log_position > 0
        order by e.id limit ${BATCH}::int
      ), locked as materialized (
        select c.id, c.removal, c.merged_into_id from conversations c
        where c.workspace_id = ${workspaceId}::uuid and c.id in (
          select conversation_id from chosen union
          select m.merged_into_id from conversations m
          where m.workspace_id = ${workspaceId}::uuid and m.id in (select conversation_id from chosen))
        order by c.id for share
      ), queued as (
        insert into deliveries (id, workspace_id, event_id, hook_id, next_attempt_at)
        select gen_random_uuid(), ${workspaceId}::uuid, e.id, h.id, now()
        from chosen e join hooks h on h.id = ${id}::uuid and h.events && array[e.key, ${ALL_EVENTS}]
          and (h.skips_token_id is null or h.skips_token_id is distinct from e.cause_id)
        left join locked c on c.id = e.conversation_id left join locked m on m.id = c.merged_into_id
        where e.conversation_id is null or c.removal is null and m.removal is null and c.id is not null
        on conflict (event_id, hook_id) do update
        set ended_at = null, outcome = null, next_attempt_at = now(), earlier_attempts = deliveries.attempts,
          had_error_status = false
        where deliveries.ended_at is not null and deliveries.outcome <> 'delivered'
        returning 1
      )
      select (select count(*) from chosen)::int as read, (select count(*) from queued)::int as queued,
        (select max(id::text) from chosen) as last`;
    if (!batch) return;
    if (batch.queued > 0) await wakeHooks(tx, [id]);
    if (batch.read === BATCH && batch.last) {
      const inSeconds = Math.ceil(batch.queued / THROTTLED_PER_SECOND);
      await queueReplay(tx, { ...replay, after: batch.last }, inSeconds);
    }
    publish(workspaceId, 'deliveries');
  });
}

const NONE = '00000000-0000-0000-0000-000000000000';

/** Locks the hook of an enabled endpoint and returns its URL. @throws Refusal when there is none, or it is not enabled */
async function lockEnabled(tx: Tx, { workspaceId, id }: Which): Promise<string> {
  const [found] = isUuid(id)
    ? await tx.$queryRaw<{ url: string; isEnabled: boolean }[]>`
        select h.target_url as url, h.removed_at is null as "isEnabled" from hooks h
        where h.id = ${id}::uuid and h.workspace_id = ${workspaceId}::uuid
          and exists (select from webhook_endpoints w where w.id = h.id)
        for no key update`
    : [];
  if (!found) throw notFound('The webhook endpoint');
  if (!found.isEnabled) throw invalid({ webhook: [NOT_ENABLED] });
  return found.url;
}
