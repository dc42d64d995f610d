import type { MadeAttempt } from '#server/automation/deliveries/attempt-result.ts';
import { publishCommandState } from '#server/automation/deliveries/command-notices.ts';
import { countAttempt, countEvents } from '#server/automation/deliveries/delivery-metrics.ts';
import type { FannedOut } from '#server/automation/deliveries/fan-out.ts';
import type { Result } from '#server/automation/deliveries/worker-state.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';

/** Reports what a statement wrote to the log, the metrics and the open pages. */
export function reportResult(result: Result): void {
  if (result.kind === 'fannedOut' && result.result) reportEvents(result.result);
  if (result.kind !== 'recorded') return;
  for (const [attempt, isRecorded] of result.result) {
    if (isRecorded !== null) reportAttempt(attempt, isRecorded);
  }
}

function reportEvents({ events }: FannedOut): void {
  for (const { workspaceId, keys } of events) {
    const counts: Record<string, number> = {};
    for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
    countEvents(counts);
    publish(workspaceId, 'deliveries');
  }
}

/** Logs an attempt without body and address. */
function reportAttempt({ delivery, number, durationMs, result, next }: MadeAttempt, recorded: boolean): void {
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
  if (delivery.eventKey === 'operator.command') publishCommandState(delivery.workspaceId);
}
