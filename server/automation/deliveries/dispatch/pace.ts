import { settings } from '#server/core/env.ts';

/** After a 429 a hook, or the hooks of a connection together, starts so many attempts a second. */
export const THROTTLED_PER_SECOND = 20;
/** Until so many seconds have passed without another 429. */
export const THROTTLED_SECONDS = 60;

/** A fast pace starts several attempts together every so many milliseconds. */
const TOGETHER_MS = 20;
/** Upper bound on the delay of a busy machine that is made up for, in ms. */
const LATE_MS = 200;

/** Limits of a hook: deliveries in flight, and starts a second (0: no fixed limit). */
export function hookLimits(): { inFlight: number; perSecond: number } {
  const { HOOK_MAX_IN_FLIGHT, HOOK_MAX_PER_SECOND } = settings();
  return { inFlight: HOOK_MAX_IN_FLIGHT, perSecond: HOOK_MAX_PER_SECOND };
}

/** `nextStartAt`: null before the first start. */
type Paced = { nextStartAt: number | null; until: number };
type Shared = Paced & {
  /** When each of its hooks last responded with 429. */
  throttledAt: Map<string, number>;
  /** This worker's part of the connection's pace. */
  part: number;
};

export type PacedHook = { hookId: string; connectionId: string };

/**
 * Keeps the pace of hooks in the memory of a worker (docs/rulings.md 5.7): after a 429 a hook starts 20 attempts a
 * second until a minute has passed without another; when two hooks of a connection got one within a minute, its hooks share
 * 20 a second, of which each worker has the part of the hooks that it serves. Timestamps are those of `performance.now()`.
 */
export function makePace() {
  const hooks = new Map<string, Paced>();
  const connections = new Map<string, Shared>();

  const hookOf = (hookId: string) => {
    const paced = hooks.get(hookId) ?? { nextStartAt: null, until: 0 };
    hooks.set(hookId, paced);
    return paced;
  };
  const connectionOf = (connectionId: string) => {
    const shared = connections.get(connectionId) ?? {
      nextStartAt: null,
      until: 0,
      throttledAt: new Map(),
      part: 1,
    };
    connections.set(connectionId, shared);
    return shared;
  };

  /** Returns the paces that apply to a hook now, each with the milliseconds between two starts. */
  function pacesOf({ hookId, connectionId }: PacedHook): { paced: Paced; everyMs: number }[] {
    const now = performance.now();
    const own = hooks.get(hookId);
    const shared = connections.get(connectionId);
    const { perSecond } = hookLimits();
    const isThrottled = own !== undefined && own.until > now;
    const rates = [...(perSecond > 0 ? [perSecond] : []), ...(isThrottled ? [THROTTLED_PER_SECOND] : [])];
    const paces = rates.length > 0 ? [{ paced: hookOf(hookId), everyMs: 1_000 / Math.min(...rates) }] : [];
    if (shared && shared.until > now) {
      paces.push({ paced: shared, everyMs: 1_000 / (THROTTLED_PER_SECOND * shared.part) });
    }
    return paces;
  }

  return {
    /** Takes over what the database knows from other workers. */
    learn(
      hook: PacedHook,
      known: { throttledAgo: number | null; startsInMs: number; sharedFor: number | null; part: number },
    ): void {
      const now = performance.now();
      if (known.throttledAgo !== null) {
        const own = hookOf(hook.hookId);
        own.until = Math.max(own.until, now + (THROTTLED_SECONDS - known.throttledAgo) * 1_000);
      }
      if (known.startsInMs > 0) {
        const own = hookOf(hook.hookId);
        own.nextStartAt = Math.max(own.nextStartAt ?? 0, now + known.startsInMs);
      }
      if (known.sharedFor !== null) {
        const shared = connectionOf(hook.connectionId);
        shared.until = Math.max(shared.until, now + known.sharedFor * 1_000);
        shared.part = known.part;
      }
    },

    /** Slows a hook down after a 429. */
    throttle({ hookId, connectionId }: PacedHook): void {
      const now = performance.now();
      const until = now + THROTTLED_SECONDS * 1_000;
      const own = hookOf(hookId);
      if (own.until <= now) own.nextStartAt = now + 1_000 / THROTTLED_PER_SECOND;
      own.until = until;
      const shared = connectionOf(connectionId);
      shared.throttledAt.set(hookId, now);
      for (const [id, at] of shared.throttledAt) {
        if (at <= now - THROTTLED_SECONDS * 1_000) shared.throttledAt.delete(id);
      }
      if (shared.throttledAt.size < 2) return;
      if (shared.until <= now) shared.nextStartAt = now + 1_000 / THROTTLED_PER_SECOND;
      shared.until = until;
    },

    /** Returns whether the hooks of a connection share one pace now. */
    isShared(connectionId: string): boolean {
      return (connections.get(connectionId)?.until ?? 0) > performance.now();
    },

    /** Returns the time until the next start of a hook, in ms, and how many may start together then. */
    next(hook: PacedHook): { waitMs: number; together: number } {
      const now = performance.now();
      let waitMs = 0;
      let together = Number.POSITIVE_INFINITY;
      for (const { paced, everyMs } of pacesOf(hook)) {
        const lateMs = Math.min(LATE_MS, now - (paced.nextStartAt ?? now));
        waitMs = Math.max(waitMs, -lateMs);
        const due = 1 + Math.floor(Math.max(0, lateMs) / everyMs);
        together = Math.min(together, Math.max(due, Math.floor(TOGETHER_MS / everyMs)));
      }
      return { waitMs, together };
    },

    /** Counts starts of a hook. Starts that were a little late do not delay those after them. */
    started(hook: PacedHook, count: number): void {
      const now = performance.now();
      for (const { paced, everyMs } of pacesOf(hook)) {
        paced.nextStartAt = Math.max(paced.nextStartAt ?? now, now - LATE_MS) + count * everyMs;
      }
    },

    /** Returns the time until a paced hook may start again, in ms; null without a pace. */
    restMs({ hookId }: { hookId: string }): number | null {
      const own = hooks.get(hookId);
      const now = performance.now();
      return own && (own.until > now || hookLimits().perSecond > 0)
        ? Math.max(0, (own.nextStartAt ?? now) - now)
        : null;
    },

    /** Removes paces that have expired. */
    forgetOld(): void {
      const now = performance.now();
      for (const [id, paced] of hooks)
        if (paced.until < now && (paced.nextStartAt ?? 0) < now - LATE_MS) hooks.delete(id);
      for (const [id, shared] of connections) {
        if (Math.max(shared.until, ...shared.throttledAt.values()) < now - THROTTLED_SECONDS * 1_000) {
          connections.delete(id);
        }
      }
    },
  };
}

export type Pace = ReturnType<typeof makePace>;
