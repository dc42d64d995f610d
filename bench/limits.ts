import { startLabPostgres } from '#bench/lab/lab-postgres.ts';
import { migrate } from '#prisma/migrate.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { runTool } from '#scripts/tools/run-tool.ts';
import { redisUrl, startRedis } from '#test/servers/redis.ts';
import { setTestSettings } from '#test/servers/settings.ts';

// node bench/limits.ts: measures the rate limiter's calls per second in PostgreSQL and in Redis, both started
// here on 127.0.0.1. Rounds alternate, so that other load on the machine slows both; compare the ratio.
const ROUNDS = 3;

const postgres = await startLabPostgres();
const redisPort = await findFreePort();
const redis = await startRedis(redisPort);
try {
  const DATABASE_URL = postgres.url('bench');
  await postgres.ensureDatabase('bench');
  await migrate(DATABASE_URL);
  setTestSettings({ DATABASE_URL });
  const rates = { PostgreSQL: [] as number[], Redis: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.PostgreSQL.push(await measure({}));
    rates.Redis.push(await measure({ REDIS_URL: redisUrl(redisPort) }));
  }
  for (const [store, each] of Object.entries(rates)) {
    console.log(`${store.padEnd(12)} ${median(each)} calls/s (${each.join(', ')})`);
  }
  console.log(`Redis/PostgreSQL ${(median(rates.Redis) / median(rates.PostgreSQL)).toFixed(1)}`);
} finally {
  await redis.kill();
  await postgres.stop();
}

async function measure(env: Record<string, string>): Promise<number> {
  const { code, output } = await runTool('bench/consume-limits.ts', [], {
    env,
    signal: AbortSignal.timeout(60_000),
  });
  if (code !== 0) throw new Error(output);
  return Number(output);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
