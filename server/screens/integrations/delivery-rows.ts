import { eventName } from '#server/contract/event-catalogue.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { AttemptOutcome, DeliveryOutcome } from '#server/generated/prisma/enums.ts';
import { findCertificateProblem } from '#server/screens/integrations/explain-attempt.ts';
import type { DeliveryRow, DeliveryState } from '#server/screens/integrations/views.ts';

/** A row of the log with its position: the creation time in µs since the epoch. */
type PlacedRow = { row: DeliveryRow; createdMicros: string };

/**
 * Reads rows of the delivery log, newest first, in one query.
 * @param page SQL that selects complete rows of `deliveries`; few rows
 */
export function readDeliveryRows(db: ReadDb, page: Prisma.Sql): Promise<PlacedRow[]> {
  const statement = Prisma.sql`
    select d.id, d.outcome::text as outcome, d.attempts,
      d.earlier_attempts as "earlierAttempts", d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt",
      (extract(epoch from d.created_at) * 1000000)::bigint::text as "createdMicros",
      e.key as event, ${ABOUT} as about, h.id as "hookId", coalesce(h.status::text, h.tag, h.command) as filter,
      a.outcome::text as "attemptOutcome", a.status_code as "statusCode", a.duration_ms as "durationMs",
      a.error
    from (${page}) d
    join events e on e.id = d.event_id
    join hooks h on h.id = d.hook_id
    left join attempts a on a.event_id = d.event_id and a.delivery_id = d.id and a.number = d.attempts
    order by d.created_at desc, d.id desc`;
  return runRead(db, statement, (found: FoundRow[]) =>
    found.map((row) => ({ row: deliveryRow(row), createdMicros: row.createdMicros })),
  );
}

/** The subject of an event, from the body that is sent. */
const ABOUT = Prisma.sql`coalesce(
  nullif(e.body::json #>> '{conversation,subject}', ''),
  nullif(e.body::json #>> '{contact,name}', ''),
  e.body::json #>> '{contact,email}',
  e.body::json #>> '{contact,phone}',
  nullif(e.body::json #>> '{conversation,contact,name}', ''),
  e.body::json #>> '{conversation,contact,email}')`;

type FoundRow = {
  id: string;
  outcome: DeliveryOutcome | null;
  attempts: number;
  earlierAttempts: number;
  nextAttemptAt: string | null;
  createdAt: string;
  createdMicros: string;
  event: string;
  about: string | null;
  hookId: string;
  filter: string | null;
  attemptOutcome: AttemptOutcome | null;
  statusCode: number | null;
  durationMs: number | null;
  error: string | null;
};

function deliveryRow(found: FoundRow): DeliveryRow {
  const { attemptOutcome, statusCode, durationMs, error } = found;
  const certificate = findCertificateProblem(error);
  const nextAttemptAt = found.nextAttemptAt === null ? null : new Date(found.nextAttemptAt);
  return {
    id: found.id,
    event: found.event,
    eventName: eventName(found.event),
    about: found.about,
    hook: { id: found.hookId, filter: found.filter },
    state: deliveryState(found),
    attempts: found.attempts,
    lastAttempt: attemptOutcome && {
      outcome: attemptOutcome,
      statusCode,
      durationMs: durationMs ?? 0,
      ...(certificate ? { certificate } : {}),
    },
    nextAttemptAt,
    createdAt: new Date(found.createdAt),
  };
}

/** The columns that decide the state of a delivery. */
export type DeliveryStanding = {
  outcome: DeliveryOutcome | null;
  attempts: number;
  earlierAttempts: number;
};

const ENDED: Record<DeliveryOutcome, DeliveryState> = {
  delivered: 'delivered',
  dropped: 'failed',
  exhausted: 'failed',
  cancelled: 'cancelled',
};

/** Returns the state of a delivery. A delivery that was sent again by hand is waiting until its next attempt. */
export function deliveryState({ outcome, attempts, earlierAttempts }: DeliveryStanding): DeliveryState {
  if (outcome) return ENDED[outcome];
  return attempts > earlierAttempts ? 'retrying' : 'waiting';
}

/**
 * SQL for the state of an undelivered delivery, identical to the expression of the index
 * `deliveries_undelivered`.
 */
export const UNDELIVERED_STATE = `(case
  when d.outcome in ('dropped', 'exhausted') then 'failed'
  when d.outcome = 'cancelled' then 'cancelled'
  when d.attempts > d.earlier_attempts then 'retrying'
  else 'waiting' end)`;
