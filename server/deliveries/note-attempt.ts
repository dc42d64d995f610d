import type { ClaimedDelivery } from '#server/deliveries/claim-delivery.ts';
import type { NextStep } from '#server/deliveries/plan-next-attempt.ts';
import type { MadeAttempt } from '#server/deliveries/record-attempt.ts';
import { announce } from '#server/live/announce.ts';
import { log } from '#server/log.ts';
import { countAttempt } from '#server/metrics/count-attempt.ts';

/**
 * Tells whoever watches of an attempt: the log in one line (what was tried, what came of it and what follows; no body
 * and no address), the metrics, and the open pages of the workspace.
 */
export function noteAttempt(
  delivery: ClaimedDelivery,
  { number, durationMs, result }: MadeAttempt,
  { next, recorded }: { next: NextStep; recorded: boolean },
): void {
  log().info(
    {
      deliveryId: delivery.id,
      eventId: delivery.event_id,
      event: delivery.event_key,
      hookId: delivery.hook_id,
      workspaceId: delivery.workspace_id,
      attempt: number,
      outcome: result.kind,
      status: 'answer' in result ? result.answer.statusCode : undefined,
      error: 'error' in result ? result.error : undefined,
      durationMs,
      next: next.kind === 'retry' ? `in ${next.delaySeconds} s` : next.outcome,
      recorded,
    },
    'delivery.attempted',
  );
  countAttempt({ outcome: result.kind, seconds: durationMs / 1_000 });
  announce(delivery.workspace_id, 'deliveries');
}
