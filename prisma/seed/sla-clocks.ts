import { addMilliseconds, addMinutes } from '#prisma/seed/ago.ts';
import type { SlaKind } from '#server/generated/prisma/enums.ts';

/** A conversation's clock while its history is generated. Follows `server/inbox/conversations/sla-clocks.ts`. */
export type SlaClock = {
  kind: SlaKind;
  startedAt: Date;
  dueAt: Date;
  pausedAt: Date | null;
  stoppedAt: Date | null;
  breachedAt: Date | null;
};

export function startClock(clocks: SlaClock[], kind: SlaKind, at: Date, minutes: number): void {
  const dueAt = addMinutes(at, minutes);
  clocks.push({ kind, startedAt: at, dueAt, pausedAt: null, stoppedAt: null, breachedAt: null });
}

/** Pauses the resolution clock while the team waits for the contact: from now on, or since it stopped. */
export function pauseClock(clocks: SlaClock[], at: Date): void {
  const clock = find(clocks, 'resolution');
  if (!clock) return;
  clock.pausedAt ??= clock.stoppedAt ?? at;
  clock.stoppedAt = null;
  clock.breachedAt = breachOf(clock, at);
}

/** Resumes the resolution clock, due later by the length of the pause. */
export function resumeClock(clocks: SlaClock[], at: Date): void {
  const clock = find(clocks, 'resolution');
  const stoodSince = clock?.pausedAt ?? clock?.stoppedAt;
  if (!clock || !stoodSince) return;
  clock.dueAt = addMilliseconds(clock.dueAt, at.getTime() - stoodSince.getTime());
  clock.pausedAt = null;
  clock.stoppedAt = null;
}

/** Stops a running clock, at the time of its pause if it is paused. */
export function stopClock(clocks: SlaClock[], kind: SlaKind, at: Date): void {
  const clock = find(clocks, kind);
  if (!clock || clock.stoppedAt) return;
  clock.stoppedAt = clock.pausedAt ?? at;
  clock.pausedAt = null;
  clock.breachedAt = breachOf(clock, at);
}

/** Returns when a clock was breached while it ran, or null. */
export function breachOf(clock: SlaClock, now: Date): Date | null {
  if (clock.breachedAt) return clock.breachedAt;
  return clock.dueAt < (clock.stoppedAt ?? clock.pausedAt ?? now) ? clock.dueAt : null;
}

/** A conversation has one clock per kind, which resumes and never restarts. */
function find(clocks: SlaClock[], kind: SlaKind): SlaClock | undefined {
  return clocks.find((clock) => clock.kind === kind);
}
