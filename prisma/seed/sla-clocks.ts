import { addMilliseconds, addMinutes } from '#prisma/seed/ago.ts';
import type { SlaKind } from '#server/generated/prisma/enums.ts';

/**
 * A clock of a conversation, while its history is written. It follows the rules of `server/inbox/conversations/sla-clocks.ts`.
 */
export type SlaClock = {
  kind: SlaKind;
  startedAt: Date;
  dueAt: Date;
  pausedAt: Date | null;
  stoppedAt: Date | null;
  breachedAt: Date | null;
};

/** Starts a clock that is due after so many minutes. */
export function startClock(clocks: SlaClock[], kind: SlaKind, at: Date, minutes: number): void {
  const dueAt = addMinutes(at, minutes);
  clocks.push({ kind, startedAt: at, dueAt, pausedAt: null, stoppedAt: null, breachedAt: null });
}

/** Holds the solution's clock, while the contact is waited for: from now on, or since it stopped. */
export function pauseClock(clocks: SlaClock[], at: Date): void {
  const clock = find(clocks, 'resolution');
  if (!clock) return;
  clock.pausedAt ??= clock.stoppedAt ?? at;
  clock.stoppedAt = null;
  clock.breachedAt = breachOf(clock, at);
}

/** Lets the solution's clock run on, due later by as long as it was held or had stopped. */
export function resumeClock(clocks: SlaClock[], at: Date): void {
  const clock = find(clocks, 'resolution');
  const stoodSince = clock?.pausedAt ?? clock?.stoppedAt;
  if (!clock || !stoodSince) return;
  clock.dueAt = addMilliseconds(clock.dueAt, at.getTime() - stoodSince.getTime());
  clock.pausedAt = null;
  clock.stoppedAt = null;
}

/** Stops a clock that has not stopped yet, at the moment at which it was held if it was. */
export function stopClock(clocks: SlaClock[], kind: SlaKind, at: Date): void {
  const clock = find(clocks, kind);
  if (!clock || clock.stoppedAt) return;
  clock.stoppedAt = clock.pausedAt ?? at;
  clock.pausedAt = null;
  clock.breachedAt = breachOf(clock, at);
}

/** When a clock was breached, or null: it was due while it ran. */
export function breachOf(clock: SlaClock, now: Date): Date | null {
  if (clock.breachedAt) return clock.breachedAt;
  return clock.dueAt < (clock.stoppedAt ?? clock.pausedAt ?? now) ? clock.dueAt : null;
}

/** A conversation has one clock of a kind: it is let run on, never started again. */
function find(clocks: SlaClock[], kind: SlaKind): SlaClock | undefined {
  return clocks.find((clock) => clock.kind === kind);
}
