import type { HookPacer } from '#server/automation/deliveries/drain/hook-pacer.ts';
import { type Lane, mayRead, partOf, type Room, roomOf } from '#server/automation/deliveries/drain/lane.ts';
import type { Ask } from '#server/automation/deliveries/drain/read-due.ts';
import { hookLimits } from '#server/automation/deliveries/hook-limits.ts';

/**
 * What may start now, hook by hook: as much as a hook's own limit and pace allow, and an even share of what the worker
 * has free. A hook that changed is looked at also when nothing of it may start.
 * @param lanes in the order in which they have waited
 * @param waitMs says when a paced hook may start, in milliseconds
 */
export function askLanes(
  lanes: Lane[],
  {
    free,
    pacer,
    stopping,
    waitMs,
  }: { free: Room; pacer: HookPacer; stopping: boolean; waitMs: (ms: number) => void },
): { asks: Ask[]; lanes: Lane[] } {
  const asks: Ask[] = [];
  const asked: Lane[] = [];
  const limit = hookLimits().inFlight;

  /** How many of a hook could start, as far as the hook goes. */
  const wantedBy = (lane: Lane): number => {
    if (!lane.hungry || stopping) return 0;
    const pace = pacer.next({ hookId: lane.hookId, connectionId: lane.connectionId ?? lane.hookId });
    if (pace.waitMs > 0) waitMs(pace.waitMs);
    return pace.waitMs > 0 ? 0 : Math.min(roomOf(lane, limit), pace.together);
  };

  for (const part of ['fast', 'slow'] as const) {
    const ready = lanes
      .filter((lane) => mayRead(lane) && partOf(lane) === part)
      .map((lane) => ({ lane, wanted: wantedBy(lane) }))
      .filter(({ lane, wanted }) => wanted > 0 || lane.look);
    const sharing = new Set<string>();
    let left = Math.max(0, free[part]);
    let others = ready.filter(({ wanted }) => wanted > 0).length;
    for (const { lane, wanted } of ready) {
      const share = Math.max(1, Math.floor(left / Math.max(1, others)));
      let most = Math.min(wanted, share, left);
      if (wanted > 0) others -= 1;
      if (wanted > 0 && left === 0 && lane.busy.size === 0) lane.starvedSince ??= performance.now();
      // Of hooks that share their connection's pace one starts at a time.
      if (most > 0 && lane.connectionId && pacer.isShared(lane.connectionId)) {
        if (sharing.has(lane.connectionId)) most = 0;
        sharing.add(lane.connectionId);
      }
      if (most === 0 && !lane.look) continue;
      left -= most;
      asked.push(lane);
      asks.push({ hookId: lane.hookId, most, busy: [...lane.busy] });
    }
  }
  return { asks, lanes: asked };
}
