import { percentile } from '#bench/lab/clock.ts';
import type { MeasuredProgram } from '#bench/lab/measured-program.ts';
import type { BenchRequest, startRequestLoad } from '#bench/lab/request-load.ts';
import type { Row } from '#bench/lab/rows.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';

/** Sends the requests of a row once, with fresh rate limits. */
export async function measureRow(given: {
  program: MeasuredProgram;
  load: Awaited<ReturnType<typeof startRequestLoad>>;
  row: Pick<Row, 'concurrency' | 'status' | 'contains'>;
  url: string;
  title: string;
  requests: () => Promise<BenchRequest[]>;
}) {
  const { program, load, row, url } = given;
  const requests = await given.requests();
  // A rate limit window of an earlier round may still be active.
  await queryPostgres(url, 'truncate rate_limits');
  await program.work();
  const { concurrency, status, contains } = row;
  const result = await load.run({ url: program.url, requests, concurrency, status, contains });
  const { statements, cpuMs, rssBytes, texts } = await program.work();
  if (process.env.BENCH_TEXTS) console.log(given.title, texts.slice(-60));
  return {
    'a second': requests.length / (result.tookMs / 1_000),
    median: percentile(result.times, 0.5),
    '95th percentile': percentile(result.times, 0.95),
    '99th percentile': percentile(result.times, 0.99),
    'processor time of a request': cpuMs / requests.length,
    'statements of a request': statements / requests.length,
    memory: rssBytes / 1024 / 1024,
  };
}
