import type { LiveTopic, RecentChanges } from '#server/core/live/live-topics.ts';

/** Workspaces whose changes are remembered; those with the latest ones. */
const WORKSPACES_MAX = 10_000;

/** Remembers when the topics of each workspace changed last. */
export function rememberChanges(now: () => number = () => performance.now()) {
  /** Times by workspace, least recently changed first. */
  const workspaces = new Map<string, Map<LiveTopic, number>>();
  let completeSince: number | null = null;
  return {
    /** Starts over, because changes may have been missed. */
    listening: (): void => {
      workspaces.clear();
      completeSince = now();
    },
    /** Changes are no longer received. */
    stopped: (): void => {
      completeSince = null;
    },
    changed: (workspaceId: string, topic: LiveTopic): void => {
      const times = workspaces.get(workspaceId) ?? new Map<LiveTopic, number>();
      workspaces.delete(workspaceId);
      workspaces.set(workspaceId, times.set(topic, now()));
      if (workspaces.size <= WORKSPACES_MAX) return;
      const [[oldest, forgotten] = ['', new Map()]] = workspaces;
      workspaces.delete(oldest);
      if (completeSince !== null) completeSince = Math.max(completeSince, ...forgotten.values());
    },
    of: (workspaceId: string): RecentChanges => {
      const times = [...(workspaces.get(workspaceId) ?? [])].map(
        ([topic, at]) => [topic, ageOf(at)] as const,
      );
      return {
        completeMs: completeSince === null ? 0 : ageOf(completeSince),
        changedMs: Object.fromEntries(times),
      };
    },
  };

  function ageOf(at: number): number {
    return Math.round(now() - at);
  }
}
