import {
  hookLimits,
  THROTTLED_PER_SECOND,
  THROTTLED_SECONDS,
} from '#server/automation/deliveries/hook-limits.ts';

/** A fast pace is kept by starting several at once every so many milliseconds. */
const TOGETHER_MS = 20;
/** So much of what a busy machine was late may be made up for at once, in milliseconds. */
const LATE_MS = 200;

/** `nextStartAt`: null before the first start. */
type Paced = { nextStartAt: number | null; until: number };
type Shared = Paced & {
  /** When each of its hooks was last answered 429. */
  throttledAt: Map<string, number>;
  /** Which part of the connection's pace is this worker's. */
  part: number;
};

/** Whose start is asked for. */
export type PacedHook = { hookId: string; connectionId: string };

/**
 * Keeps the pace of hooks in the memory of a worker (decisions: hooks, events, 7): a hook that was answered 429 starts 20
 * a second until a minute has passed without another; when two of a connection were within a minute, its hooks
 * share 20 a second, of which each worker has the part of the hooks that it drains. Moments are milliseconds of
 * `performance.now()`.
 */
export function makeHookPacer() {
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

  /** What paces a hook now, each with the milliseconds between two starts. */
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
    /** What the database says: from other workers, or from before this one. */
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

    /** An attempt was answered 429. */
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

    /** Whether the hooks of a connection share one pace now. */
    isShared(connectionId: string): boolean {
      return (connections.get(connectionId)?.until ?? 0) > performance.now();
    },

    /** How long the next start of a hook has to wait, in milliseconds, and how many may start together then. */
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

    /** So many of a hook have started. Starts that came a little late do not slow those after them. */
    started(hook: PacedHook, count: number): void {
      const now = performance.now();
      for (const { paced, everyMs } of pacesOf(hook)) {
        paced.nextStartAt = Math.max(paced.nextStartAt ?? now, now - LATE_MS) + count * everyMs;
      }
    },

    /** In how many milliseconds a paced hook may start again; null for one without a pace. */
    restMs({ hookId }: { hookId: string }): number | null {
      const own = hooks.get(hookId);
      const now = performance.now();
      return own && (own.until > now || hookLimits().perSecond > 0)
        ? Math.max(0, (own.nextStartAt ?? now) - now)
        : null;
    },

    /** Forgets what has passed. */
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

export type HookPacer = ReturnType<typeof makeHookPacer>;
