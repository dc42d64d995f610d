import { countAttempt } from '#server/automation/deliveries/delivery-metrics.ts';
import type { MadeAttempt } from '#server/automation/deliveries/record-attempts.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';

/**
 * Reports an attempt to the log, to the metrics and to the open pages of the workspace. The line of the log
 * says what was tried, with which result, and what follows; it has no body and no address.
 */
export function reportAttempt(
  { delivery, number, durationMs, result, next }: MadeAttempt,
  recorded: boolean,
): void {
  log().info(
    {
      deliveryId: delivery.id,
      eventId: delivery.eventId,
      event: delivery.eventKey,
      hookId: delivery.hookId,
      workspaceId: delivery.workspaceId,
      attempt: number,
      outcome: result.kind,
      status: 'response' in result ? result.response.statusCode : undefined,
      error: 'error' in result ? result.error : undefined,
      durationMs,
      next: next.kind === 'retry' ? `in ${next.delaySeconds} s` : next.outcome,
      recorded,
    },
    'delivery.attempted',
  );
  countAttempt({ outcome: result.kind, seconds: durationMs / 1_000 });
  publish(delivery.workspaceId, 'deliveries');
}
