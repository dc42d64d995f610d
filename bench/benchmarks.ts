/**
 * `rounds`: how many a run of all makes of it, where five would take too long. `minutes`: what it takes then on a machine with
 * two cores that does nothing else, reckoned from its own settings. `minutesAlone`: when it is named, with five rounds.
 */
export type Benchmark = {
  load: () => Promise<(rounds: number) => Promise<void>>;
  rounds?: number;
  minutes: number;
  minutesAlone?: number;
};

/** In the order in which all of them run: what fills a large workspace comes before what finds it filled. */
export const BENCHMARKS: Record<string, Benchmark> = {
  me: { load: async () => (await import('#bench/me.ts')).benchMe, minutes: 0.5 },
  // It fills 1,000,000 conversations, which `growth` finds there, as does the next run.
  search: { load: async () => (await import('#bench/search.ts')).benchSearch, minutes: 11 },
  growth: { load: async () => (await import('#bench/growth.ts')).benchGrowth, rounds: 3, minutes: 2 },
  commit: { load: async () => (await import('#bench/commit.ts')).benchCommit, rounds: 3, minutes: 2 },
  deliver: {
    load: async () => (await import('#bench/deliver.ts')).benchDeliver,
    minutes: 1.8,
    minutesAlone: 3,
  },
  'hot-hook': { load: async () => (await import('#bench/hot-hook.ts')).benchHotHook, minutes: 1.5 },
  latency: {
    load: async () => (await import('#bench/latency.ts')).benchLatency,
    minutes: 2.6,
    minutesAlone: 4,
  },
  fanout: { load: async () => (await import('#bench/fanout.ts')).benchFanout, rounds: 3, minutes: 2 },
  isolation: {
    load: async () => (await import('#bench/isolation.ts')).benchIsolation,
    rounds: 3,
    minutes: 4,
  },
  backlog: { load: async () => (await import('#bench/backlog.ts')).benchBacklog, rounds: 3, minutes: 2 },
  throttle: { load: async () => (await import('#bench/throttle.ts')).benchThrottle, minutes: 4.5 },
  requests: { load: async () => (await import('#bench/requests.ts')).benchRequests, rounds: 3, minutes: 8 },
  pages: { load: async () => (await import('#bench/pages.ts')).benchPages, rounds: 3, minutes: 4.5 },
  screens: { load: async () => (await import('#bench/screens.ts')).benchScreens, minutes: 2 },
  retention: {
    load: async () => (await import('#bench/retention.ts')).benchRetention,
    rounds: 3,
    minutes: 8,
  },
  workers: { load: async () => (await import('#bench/workers.ts')).benchWorkers, rounds: 3, minutes: 4 },
  costs: { load: async () => (await import('#bench/costs.ts')).benchCosts, minutes: 2 },
  scaling: { load: async () => (await import('#bench/scaling.ts')).benchScaling, minutes: 0 },
  soak: { load: async () => (await import('#bench/soak.ts')).benchSoak, minutes: 11, minutesAlone: 21 },
};

/** Rounds of one that is named. */
export const ROUNDS = 5;

/** What a run of all sets for its benchmarks, unless it is set: one peer, and half of the soak. */
export const SHORTER = { BENCH_PEERS: 'graphile-worker', BENCH_MINUTES: '10' };

/** About how many minutes a run takes with its usual rounds. */
export function expectedMinutes(chosen: string | undefined): number {
  if (chosen === undefined) {
    return Math.ceil(Object.values(BENCHMARKS).reduce((sum, { minutes }) => sum + minutes, 0));
  }
  const { minutes = 0, minutesAlone, rounds = ROUNDS } = BENCHMARKS[chosen] ?? {};
  return minutesAlone ?? Math.ceil((minutes * ROUNDS) / rounds);
}
