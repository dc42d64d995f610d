// npm run bench -- [name] [rounds]: benchmarks beside their floors, one or all. A table of each, and the
// same as JSON.
const BENCHMARKS: Record<string, () => Promise<(rounds: number) => Promise<void>>> = {
  me: async () => (await import('#bench/me.ts')).benchMe,
  search: async () => (await import('#bench/search.ts')).benchSearch,
  commit: async () => (await import('#bench/commit.ts')).benchCommit,
  deliver: async () => (await import('#bench/deliver.ts')).benchDeliver,
  'hot-hook': async () => (await import('#bench/hot-hook.ts')).benchHotHook,
  latency: async () => (await import('#bench/latency.ts')).benchLatency,
  fanout: async () => (await import('#bench/fanout.ts')).benchFanout,
  isolation: async () => (await import('#bench/isolation.ts')).benchIsolation,
  backlog: async () => (await import('#bench/backlog.ts')).benchBacklog,
  throttle: async () => (await import('#bench/throttle.ts')).benchThrottle,
  requests: async () => (await import('#bench/requests.ts')).benchRequests,
  pages: async () => (await import('#bench/pages.ts')).benchPages,
  screens: async () => (await import('#bench/screens.ts')).benchScreens,
  retention: async () => (await import('#bench/retention.ts')).benchRetention,
  growth: async () => (await import('#bench/growth.ts')).benchGrowth,
  workers: async () => (await import('#bench/workers.ts')).benchWorkers,
  costs: async () => (await import('#bench/costs.ts')).benchCosts,
  scaling: async () => (await import('#bench/scaling.ts')).benchScaling,
  soak: async () => (await import('#bench/soak.ts')).benchSoak,
};

export {};

const [name, rounds = '5'] = process.argv.slice(2);
const chosen = name === undefined ? Object.keys(BENCHMARKS) : [name];
for (const each of chosen) {
  const load = BENCHMARKS[each];
  if (!load) {
    console.error(`Name one of: ${Object.keys(BENCHMARKS).join(', ')}.`);
    process.exit(1);
  }
  await (await load())(Number(rounds));
}
