import { settings } from '#server/core/env.ts';
import type { Frozen } from '#server/core/frozen.ts';

/** Attempts per second of a hook, or of all hooks of a connection, after a 429. */
export const THROTTLED_PER_SECOND = 20;
/** Seconds without another 429 after which the pace ends. */
export const THROTTLED_SECONDS = 60;

/** Interval at which a fast pace starts several attempts together, in ms. */
const TOGETHER_MS = 20;
/** Maximum delay of a busy machine that is made up for, in ms. */
const LATE_MS = 200;

/** Returns the limits of a hook: deliveries in flight, and starts per second (0: no fixed limit). */
export function hookLimits(): { inFlight: number; perSecond: number } {
  const { HOOK_MAX_IN_FLIGHT, HOOK_MAX_PER_SECOND } = settings();
  return { inFlight: HOOK_MAX_IN_FLIGHT, perSecond: HOOK_MAX_PER_SECOND };
}

/** `nextStartAt`: null before the first start. */
type Paced = { nextStartAt: number | null; until: number };
type Shared = Paced & {
  /** Time of the last 429 of each of its hooks. */
  throttledAt: Map<string, number>;
  /** This worker's share of the connection's pace, 0 to 1. */
  share: number;
};

export type PacedHook = { hookId: string; connectionId: string };

/**
 * The pace of hooks within a worker, by hook and by connection (docs/rulings.md 5.7). After a 429 a hook starts 20
 * attempts a second until a minute has passed without another. After two hooks of a connection got a 429 within a
 * minute, all its hooks share 20 a second. Each worker gets the share of the hooks it serves. Timestamps are
 * those of `performance.now()`.
 */
export type Pace = { hooks: Map<string, Paced>; connections: Map<string, Shared> };

export function makePace(): Pace {
  return { hooks: new Map(), connections: new Map() };
}

/** Merges the state that other workers stored in the database. */
export function learnPace(
  pace: Pace,
  hook: PacedHook,
  known: { throttledAgo: number | null; startsInMs: number; sharedFor: number | null; share: number },
  now: number,
): void {
  if (known.throttledAgo !== null) {
    const own = hookOf(pace, hook);
    own.until = Math.max(own.until, now + (THROTTLED_SECONDS - known.throttledAgo) * 1_000);
  }
  if (known.startsInMs > 0) {
    const own = hookOf(pace, hook);
    own.nextStartAt = Math.max(own.nextStartAt ?? 0, now + known.startsInMs);
  }
  if (known.sharedFor !== null) {
    const shared = connectionOf(pace, hook);
    shared.until = Math.max(shared.until, now + known.sharedFor * 1_000);
    shared.share = known.share;
  }
}

/** Applies a 429. */
export function throttle(pace: Pace, hook: PacedHook, now: number): void {
  const until = now + THROTTLED_SECONDS * 1_000;
  const own = hookOf(pace, hook);
  if (own.until <= now) own.nextStartAt = now + 1_000 / THROTTLED_PER_SECOND;
  own.until = until;
  const shared = connectionOf(pace, hook);
  shared.throttledAt.set(hook.hookId, now);
  for (const [id, at] of shared.throttledAt) {
    if (at <= now - THROTTLED_SECONDS * 1_000) shared.throttledAt.delete(id);
  }
  if (shared.throttledAt.size < 2) return;
  if (shared.until <= now) shared.nextStartAt = now + 1_000 / THROTTLED_PER_SECOND;
  shared.until = until;
}

/** Counts starts of a hook. Starts that were slightly late do not delay the following ones. */
export function countStarts(pace: Pace, hook: PacedHook, count: number, now: number): void {
  if (hookLimits().perSecond > 0) hookOf(pace, hook);
  for (const { paced, everyMs } of pacesOf(pace, hook, now)) {
    if (paced) paced.nextStartAt = Math.max(paced.nextStartAt ?? now, now - LATE_MS) + count * everyMs;
  }
}

export function forgetOld({ hooks, connections }: Pace, now: number): void {
  for (const [id, paced] of hooks) {
    if (paced.until < now && (paced.nextStartAt ?? 0) < now - LATE_MS) hooks.delete(id);
  }
  for (const [id, shared] of connections) {
    if (Math.max(shared.until, ...shared.throttledAt.values()) < now - THROTTLED_SECONDS * 1_000) {
      connections.delete(id);
    }
  }
}

export function isShared({ connections }: Frozen<Pace>, connectionId: string, now: number): boolean {
  return (connections.get(connectionId)?.until ?? 0) > now;
}

/** Returns the time until a hook's next start, in ms, and how many attempts may then start together. */
export function nextStart(
  pace: Frozen<Pace>,
  hook: PacedHook,
  now: number,
): { waitMs: number; together: number } {
  let waitMs = 0;
  let together = Number.POSITIVE_INFINITY;
  for (const { paced, everyMs } of pacesOf(pace, hook, now)) {
    const lateMs = Math.min(LATE_MS, now - (paced?.nextStartAt ?? now));
    waitMs = Math.max(waitMs, -lateMs);
    const due = 1 + Math.floor(Math.max(0, lateMs) / everyMs);
    together = Math.min(together, Math.max(due, Math.floor(TOGETHER_MS / everyMs)));
  }
  return { waitMs, together };
}

/** Returns the time until a paced hook may start again, in ms; null without a pace. */
export function restMs({ hooks }: Frozen<Pace>, hookId: string, now: number): number | null {
  const own = hooks.get(hookId);
  return own && (own.until > now || hookLimits().perSecond > 0)
    ? Math.max(0, (own.nextStartAt ?? now) - now)
    : null;
}

function hookOf({ hooks }: Pace, { hookId }: PacedHook): Paced {
  const paced = hooks.get(hookId) ?? { nextStartAt: null, until: 0 };
  hooks.set(hookId, paced);
  return paced;
}

function connectionOf({ connections }: Pace, { connectionId }: PacedHook): Shared {
  const unthrottled = { nextStartAt: null, until: 0, throttledAt: new Map(), share: 1 };
  const shared = connections.get(connectionId) ?? unthrottled;
  connections.set(connectionId, shared);
  return shared;
}

/** Returns the paces that now apply to a hook, each with the interval between two starts in ms. */
function pacesOf<P extends Frozen<Paced>>(
  pace: { hooks: ReadonlyMap<string, P>; connections: ReadonlyMap<string, P & { readonly share: number }> },
  { hookId, connectionId }: PacedHook,
  now: number,
): { paced: P | undefined; everyMs: number }[] {
  const own = pace.hooks.get(hookId);
  const shared = pace.connections.get(connectionId);
  const { perSecond } = hookLimits();
  if (perSecond === 0 && !own && !shared) return [];
  const rates: number[] = [];
  if (perSecond > 0) rates.push(perSecond);
  if (own && own.until > now) rates.push(THROTTLED_PER_SECOND);
  const paces: { paced: P | undefined; everyMs: number }[] = [];
  if (rates.length > 0) paces.push({ paced: own, everyMs: 1_000 / Math.min(...rates) });
  if (shared && shared.until > now) {
    paces.push({ paced: shared, everyMs: 1_000 / (THROTTLED_PER_SECOND * shared.share) });
  }
  return paces;
}
