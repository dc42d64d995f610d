import { validate as isUuid } from 'uuid';
import { explainRemoval } from '#server/automation/hooks/explain-removal.ts';
import type { Db } from '#server/core/database/db.ts';
import { type Attempt, Prisma } from '#server/generated/prisma/client.ts';
import type { AttemptView, OpenDelivery } from '#server/screens/integrations/deliveries-views.ts';
import { readDeliveryRows } from '#server/screens/integrations/delivery-rows.ts';
import { explainAttempt } from '#server/screens/integrations/explain-attempt.ts';
import { explainDelivery } from '#server/screens/integrations/explain-delivery.ts';

/** So many of its newest attempts are shown; one sent again by hand time after time has any number. */
const ATTEMPTS_SHOWN = 20;

/** A delivery of a workspace with all there is to know about it; null when the workspace has no such delivery. */
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
      where: { id, workspaceId },
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
  const teammateName = hook.connection.user?.name ?? hook.connection.teammateName;
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
  return {
    number,
    sentAgain: earlierAttempts > 0 && number === earlierAttempts + 1,
    startedAt,
    durationMs,
    outcome,
    statusCode,
    explanation: explainAttempt(attempt, platformName),
    technical: outcome === 'timed_out' ? null : error,
    excerpt: responseExcerpt || null,
    retryAfter,
  };
}

/** The body as people read JSON. What is sent has the same values without the white space. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
