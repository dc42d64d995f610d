import type { DotTone } from '#app/components/ui/status-dot.tsx';
import type { DeliveryRow, HookName } from '#server/screens/integrations/views.ts';

type LastAttempt = NonNullable<DeliveryRow['lastAttempt']>;

/** Returns a short label for the log's rows: `Refused (404)`, `No response`, `Certificate not trusted`. */
export function attemptWords({
  outcome,
  statusCode,
  certificate,
}: Pick<LastAttempt, 'outcome' | 'statusCode' | 'certificate'>): string {
  if (certificate) return certificate === 'expired' ? 'Certificate expired' : 'Certificate not trusted';
  const words = WORDS[outcome].words;
  return statusCode === null ? words : `${words} (${statusCode})`;
}

export function attemptTone(outcome: LastAttempt['outcome']): DotTone {
  return WORDS[outcome].tone;
}

const WORDS: Record<LastAttempt['outcome'], { words: string; tone: DotTone }> = {
  delivered: { words: 'Accepted', tone: 'good' },
  rejected: { words: 'Refused', tone: 'bad' },
  gone: { words: 'Workflow gone', tone: 'bad' },
  throttled: { words: 'Rate limited', tone: 'waiting' },
  failed: { words: 'Server error', tone: 'bad' },
  redirected: { words: 'Redirected', tone: 'bad' },
  timed_out: { words: 'No response', tone: 'bad' },
  unreachable: { words: 'Could not connect', tone: 'bad' },
};

/** Returns a one-line label of a hook: event, filter and teammate. */
export function hookLabel({ eventName, filter, teammateName }: HookName): string {
  return `${eventName}${filter ? `: ${filter}` : ''} (${teammateName})`;
}
