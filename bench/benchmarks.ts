/**
 * `minutes`: expected duration of five rounds on an idle machine with two cores, measured or computed from
 * the benchmark's settings.
 * `partOf`: the benchmark that also measures this one, so a run of all benchmarks leaves this one out.
 */
export type Benchmark = {
  load: () => Promise<(rounds: number) => Promise<void>>;
  minutes: number;
  partOf?: string;
};

/** In the order of a full run: a benchmark that fills a large workspace precedes those that reuse it. */
export const BENCHMARKS: Record<string, Benchmark> = {
  me: { load: async () => (await import('#bench/benchmarks/me.ts')).benchMe, minutes: 1 },
  // Creates 1,000,000 conversations, which `growth`, `screens` and the next run reuse.
  search: { load: async () => (await import('#bench/benchmarks/search.ts')).benchSearch, minutes: 13 },
  growth: { load: async () => (await import('#bench/benchmarks/growth.ts')).benchGrowth, minutes: 6 },
  'limited-views': {
    load: async () => (await import('#bench/benchmarks/limited-views.ts')).benchLimitedViews,
    minutes: 4,
    partOf: 'growth',
  },
  reports: { load: async () => (await import('#bench/benchmarks/reports.ts')).benchReports, minutes: 4 },
  'developer-api': {
    load: async () => (await import('#bench/benchmarks/developer-api.ts')).benchDeveloperApi,
    minutes: 1,
  },
  create: {
    load: async () => (await import('#bench/benchmarks/requests.ts')).benchCreate,
    minutes: 6,
    partOf: 'requests',
  },
  token: {
    load: async () => (await import('#bench/benchmarks/requests.ts')).benchToken,
    minutes: 8,
    partOf: 'requests',
  },
  requests: { load: async () => (await import('#bench/benchmarks/requests.ts')).benchRequests, minutes: 16 },
  commit: { load: async () => (await import('#bench/benchmarks/commit.ts')).benchCommit, minutes: 6.5 },
  deliver: { load: async () => (await import('#bench/benchmarks/deliver.ts')).benchDeliver, minutes: 2 },
  webhooks: { load: async () => (await import('#bench/benchmarks/webhooks.ts')).benchWebhooks, minutes: 3 },
  'hot-hook': { load: async () => (await import('#bench/benchmarks/hot-hook.ts')).benchHotHook, minutes: 1 },
  latency: { load: async () => (await import('#bench/benchmarks/latency.ts')).benchLatency, minutes: 4 },
  fanout: { load: async () => (await import('#bench/benchmarks/fanout.ts')).benchFanout, minutes: 2.5 },
  isolation: {
    load: async () => (await import('#bench/benchmarks/isolation.ts')).benchIsolation,
    minutes: 6.5,
  },
  backlog: { load: async () => (await import('#bench/benchmarks/backlog.ts')).benchBacklog, minutes: 3 },
  throttle: {
    load: async () => (await import('#bench/benchmarks/throttle.ts')).benchThrottle,
    minutes: 16.5,
  },
  retention: {
    load: async () => (await import('#bench/benchmarks/retention.ts')).benchRetention,
    minutes: 14,
  },
  screens: { load: async () => (await import('#bench/benchmarks/screens.ts')).benchScreens, minutes: 11 },
  workers: { load: async () => (await import('#bench/benchmarks/workers.ts')).benchWorkers, minutes: 9 },
  costs: { load: async () => (await import('#bench/benchmarks/costs.ts')).benchCosts, minutes: 1 },
  soak: { load: async () => (await import('#bench/benchmarks/soak.ts')).benchSoak, minutes: 29 },
};

/** Default number of measurements of each side. */
export const ROUNDS = 5;

/** Returns the named benchmark, or all benchmarks that are not part of another one. */
export function chosenBenchmarks(name: string | undefined): string[] {
  if (name !== undefined) return [name];
  return Object.keys(BENCHMARKS).filter((each) => BENCHMARKS[each]?.partOf === undefined);
}

/** Returns the expected duration of benchmarks with the default number of rounds, in minutes. */
export function expectedMinutes(names: string[]): number {
  return Math.ceil(names.reduce((sum, name) => sum + (BENCHMARKS[name]?.minutes ?? 0), 0));
}
