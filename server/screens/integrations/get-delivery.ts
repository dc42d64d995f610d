import { validate as isUuid } from 'uuid';
import { explainRemoval } from '#server/automation/hooks/explain-removal.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { type Attempt, Prisma } from '#server/generated/prisma/client.ts';
import {
  type DeliveryStanding,
  deliveryState,
  readDeliveryRows,
} from '#server/screens/integrations/delivery-rows.ts';
import {
  explainAttempt,
  findCertificateProblem,
  type LoggedAttempt,
} from '#server/screens/integrations/explain-attempt.ts';
import type { AttemptView, OpenDelivery } from '#server/screens/integrations/views.ts';

/** Maximum number of attempts shown, newest first. Repeated redelivery can cause any number. */
const ATTEMPTS_SHOWN = 20;

/** Returns a delivery with its attempts, or null when the workspace has no such delivery. */
export async function getDelivery(
  db: Db,
  { workspaceId, id, platformName }: { workspaceId: string; id: string; platformName: string },
): Promise<OpenDelivery | null> {
  if (!isUuid(id)) return null;
  const [[placed], found] = await Promise.all([
    readDeliveryRows(
      db,
      Prisma.sql`select * from deliveries where id = ${id}::uuid and workspace_id = ${workspaceId}::uuid`,
    ),
    db.delivery.findFirst({
      where: { id, workspaceId, hook: { connectionId: { not: null } } },
      select: {
        outcome: true,
        attempts: true,
        earlierAttempts: true,
        endedAt: true,
        event: { select: { id: true, body: true, createdAt: true } },
        hook: {
          select: {
            targetUrl: true,
            removalReason: true,
            connection: { select: { teammateName: true, user: { select: { name: true } } } },
          },
        },
        attemptList: { orderBy: { number: 'desc' }, take: ATTEMPTS_SHOWN },
      },
      relationLoadStrategy: 'join',
    }),
  ]);
  if (!placed || !found) return null;
  const { hook, event, endedAt, attemptList, ...standing } = found;
  const teammateName = hook.connection?.user?.name ?? hook.connection?.teammateName ?? '';
  const removed = hook.removalReason
    ? explainRemoval(hook.removalReason, { platformName, teammateName }).why
    : null;
  const { lastAttempt: _, ...row } = placed.row;
  return {
    ...row,
    eventId: event.id,
    occurredAt: event.createdAt,
    hook: { ...row.hook, targetUrl: hook.targetUrl, teammateName, removed },
    summary: explainDelivery(standing, attemptList[0] ?? null, { platformName, removed }),
    body: indented(event.body),
    attemptList: attemptList
      .map((attempt) => attemptView(attempt, standing.earlierAttempts, platformName))
      .reverse(),
    endedAt,
    canRedeliver: endedAt !== null && removed === null,
  };
}

function attemptView(attempt: Attempt, earlierAttempts: number, platformName: string): AttemptView {
  const { number, startedAt, durationMs, outcome, statusCode, error, responseExcerpt, retryAfter } = attempt;
  const certificate = findCertificateProblem(error);
  return {
    number,
    sentAgain: earlierAttempts > 0 && number === earlierAttempts + 1,
    startedAt,
    durationMs,
    outcome,
    statusCode,
    ...(certificate ? { certificate } : {}),
    explanation: explainAttempt(attempt, platformName),
    technical: outcome === 'timed_out' ? null : error,
    excerpt: responseExcerpt || null,
    retryAfter,
  };
}

/** Indents the JSON body for display. The sent body has the same values without whitespace. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/**
 * Explains the state of a delivery.
 * @param lastAttempt null before the first attempt
 * @param removed the reason for the removal of the hook; null while it is live
 */
export function explainDelivery(
  delivery: DeliveryStanding,
  lastAttempt: LoggedAttempt | null,
  { platformName, removed }: { platformName: string; removed: string | null },
): string {
  const last = lastAttempt ? explainAttempt(lastAttempt, platformName) : null;
  const made = delivery.attempts - delivery.earlierAttempts;
  switch (deliveryState(delivery)) {
    case 'delivered':
      return made > 1 ? `${last} It took ${made} attempts.` : (last ?? 'Delivered.');
    case 'failed':
      return join(last, afterFailure(delivery, lastAttempt, made));
    case 'retrying':
      return join(last, 'It will be retried.');
    case 'waiting':
      return 'It will be sent in a moment, once earlier events of this workflow have been sent.';
    case 'cancelled':
      return made > 0
        ? join(last, `It was not retried because ${cancelledBy(removed)}.`, removed)
        : join(`It was not sent because ${cancelledBy(removed)}.`, removed);
  }
}

/** @param removed the reason for the removal of the hook; null while it is live */
function cancelledBy(removed: string | null): string {
  return removed === null
    ? 'its conversation was marked as spam or deleted, or the service was restored from a backup'
    : 'the workflow had ended';
}

function afterFailure(
  { outcome }: DeliveryStanding,
  lastAttempt: LoggedAttempt | null,
  made: number,
): string {
  if (lastAttempt?.outcome === 'gone') return 'The workflow was removed, and nothing more is sent to it.';
  if (outcome === 'dropped') return 'It was not retried, as the response would be the same.';
  return made === 1 ? 'It will not be retried.' : `All ${made} attempts failed. It will not be retried.`;
}

function join(...sentences: (string | null)[]): string {
  return sentences.filter(Boolean).join(' ');
}
