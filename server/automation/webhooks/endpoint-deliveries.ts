import { validate as isUuid } from 'uuid';
import type { EventActor } from '#server/contract/event-actor.ts';
import { loggedEventRecord } from '#server/contract/logged-event.ts';
import type { LogCursor } from '#server/core/cursor.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { AttemptOutcome, DeliveryOutcome } from '#server/generated/prisma/enums.ts';
import { isShownToPrograms } from '#server/inbox/conversations/list-by-change.ts';

/** State of a delivery. `pending`: its next attempt is due or planned. `cancelled`: the endpoint was disabled or paused. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

/** A delivery of an event to a webhook endpoint. */
export type EndpointDelivery = {
  id: string;
  eventId: string;
  type: string;
  state: (typeof DELIVERY_STATES)[number];
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  /** HTTP status of the last attempt; null if there was no response. */
  lastStatus: number | null;
  lastError: string | null;
};

type Row = Omit<EndpointDelivery, 'state'> & { outcome: DeliveryOutcome | null; micros: string };

/** Returns deliveries to an endpoint, newest first, after a position. */
export async function listEndpointDeliveries(
  db: Pick<Db, '$queryRaw'>,
  query: { workspaceId: string; id: string; cursor: LogCursor | undefined; limit: number },
): Promise<{ item: EndpointDelivery; position: LogCursor }[]> {
  const { workspaceId, id, cursor, limit } = query;
  if (!isUuid(id)) return [];
  const before = cursor
    ? Prisma.sql`and (d.created_at, d.id) <
        (timestamptz 'epoch' + ${cursor.micros}::bigint * interval '1 microsecond', ${cursor.id}::uuid)`
    : Prisma.empty;
  const rows = await db.$queryRaw<Row[]>`
    select d.id, d.event_id as "eventId", e.key as type, d.outcome, d.attempts, d.next_attempt_at as "nextAttemptAt",
      d.created_at as "createdAt", (extract(epoch from d.created_at) * 1000000)::bigint::text as micros,
      a.status_code as "lastStatus", a.error as "lastError"
    from (
      select * from deliveries d
      where d.hook_id = ${id}::uuid and d.workspace_id = ${workspaceId}::uuid ${before}
      order by d.created_at desc, d.id desc limit ${limit}::int
    ) d
    cross join lateral (select key from events where id = d.event_id limit 1) e
    left join lateral (
      select status_code, error from attempts
      where event_id = d.event_id and delivery_id = d.id and number = d.attempts limit 1
    ) a on true
    order by d.created_at desc, d.id desc`;
  return rows.map(({ micros, outcome, ...row }) => ({
    item: { ...row, state: stateOf(outcome) },
    position: { micros, id: row.id },
  }));
}

function stateOf(outcome: DeliveryOutcome | null): EndpointDelivery['state'] {
  if (outcome === null) return 'pending';
  return outcome === 'dropped' || outcome === 'exhausted' ? 'failed' : outcome;
}

export type EndpointAttempt = {
  number: number;
  startedAt: Date;
  durationMs: number;
  outcome: AttemptOutcome;
  statusCode: number | null;
  error: string | null;
  /** Start of the response's body. */
  response: string | null;
};

/**
 * A delivery with its request and its attempts, the newest first. Each attempt has its own timestamp and signature. The body is empty
 * if the event is about a spam or deleted conversation, which does not exist for programs.
 */
export type DeliveryDetails = {
  id: string;
  request: { url: string; headers: Record<string, string>; body: string };
  attempts: EndpointAttempt[];
};

/** Maximum number of attempts that are shown: more exist after repeated resending. */
const ATTEMPTS_SHOWN = 50;

/** Returns a delivery to an endpoint with its request and attempts, or null. */
export async function readEndpointDelivery(
  db: Db,
  which: { workspaceId: string; id: string; deliveryId: string },
): Promise<DeliveryDetails | null> {
  const { workspaceId, id: hookId, deliveryId } = which;
  if (!isUuid(hookId) || !isUuid(deliveryId)) return null;
  const found = await db.delivery.findFirst({
    where: { id: deliveryId, workspaceId, hookId },
    select: {
      id: true,
      eventId: true,
      event: { select: { body: true, actor: true, causeId: true, conversationId: true } },
      hook: { select: { targetUrl: true } },
      attemptList: { orderBy: { number: 'desc' }, take: ATTEMPTS_SHOWN },
    },
  });
  if (!found) return null;
  const { body, actor, causeId, conversationId } = found.event;
  const isShown =
    conversationId === null || (await isShownToPrograms(db, { workspaceId, id: conversationId }));
  const record = loggedEventRecord({ body, causeId, actor: actor as EventActor });
  const at = found.attemptList[0]?.startedAt;
  return {
    id: found.id,
    request: {
      url: found.hook.targetUrl,
      headers: {
        'content-type': 'application/json',
        'webhook-id': found.eventId,
        ...(at ? { 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) } : {}),
      },
      body: isShown ? JSON.stringify(record) : '',
    },
    attempts: found.attemptList.map(
      ({ responseExcerpt, number, startedAt, durationMs, outcome, statusCode, error }) => ({
        number,
        startedAt,
        durationMs,
        outcome,
        statusCode,
        error,
        response: responseExcerpt,
      }),
    ),
  };
}
