import { addMilliseconds, addMinutes } from '#prisma/seed/ago.ts';
import type { SlaKind } from '#server/generated/prisma/enums.ts';

/** A clock of a conversation, while its story is told. */
export type SlaClock = {
  kind: SlaKind;
  startedAt: Date;
  dueAt: Date;
  pausedAt: Date | null;
  stoppedAt: Date | null;
};

/** Starts a clock that is due after so many minutes. */
export function startClock(clocks: SlaClock[], kind: SlaKind, at: Date, minutes: number): void {
  clocks.push({ kind, startedAt: at, dueAt: addMinutes(at, minutes), pausedAt: null, stoppedAt: null });
}

/** Holds the solution's clock, while the contact is waited for. */
export function pauseClock(clocks: SlaClock[], at: Date): void {
  const clock = running(clocks, 'resolution');
  if (clock) clock.pausedAt ??= at;
}

/** Lets the solution's clock run on, due later by the length of the pause. Returns whether there was one. */
export function resumeClock(clocks: SlaClock[], at: Date): boolean {
  const clock = running(clocks, 'resolution');
  if (!clock) return false;
  if (clock.pausedAt) clock.dueAt = addMilliseconds(clock.dueAt, at.getTime() - clock.pausedAt.getTime());
  clock.pausedAt = null;
  return true;
}

/** Stops a clock that still runs, for good. */
export function stopClock(clocks: SlaClock[], kind: SlaKind, at: Date): void {
  const clock = running(clocks, kind);
  if (!clock) return;
  if (clock.pausedAt) resumeClock(clocks, at);
  clock.stoppedAt = at;
}

/** When a clock was breached, or null: it was due while it ran. */
export function breachOf(clock: SlaClock, now: Date): Date | null {
  return clock.dueAt < (clock.stoppedAt ?? clock.pausedAt ?? now) ? clock.dueAt : null;
}

function running(clocks: SlaClock[], kind: SlaKind): SlaClock | undefined {
  return clocks.find((clock) => clock.kind === kind && !clock.stoppedAt);
}
