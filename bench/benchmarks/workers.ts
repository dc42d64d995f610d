import { deliverAll } from '#bench/benchmarks/deliver.ts';
import { compare } from '#bench/compare.ts';
import { makeStage, withEngine } from '#bench/lab/engine.ts';
import { startMeasured } from '#bench/lab/measured-program.ts';
import { startRequestLoad } from '#bench/lab/request-load.ts';
import { fillStage, type RequestStage } from '#bench/lab/request-stage.ts';
import { ROWS, type Row } from '#bench/lab/rows.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

const HOOKS = 50;
const CHANGES = scaled(200);

/**
 * Reports the gain from a second process on this machine: deliveries per second with two workers, requests
 * per second with two servers. Has no bar, as PostgreSQL, load and sink share the same processors.
 */
export async function benchWorkers(rounds: number): Promise<void> {
  await withEngine(async ({ lab, sink }) => {
    const stage = await makeStage(hookPaths(HOOKS));
    const delivering = (workers: number) => ({
      name: workers === 1 ? 'one worker' : `${workers} workers`,
      measure: async () => ({ rate: await deliverAll(stage, sink, CHANGES, { workers }) }),
    });
    await compare('workers', {
      rounds,
      figures: { rate: { unit: 'deliveries/s' } },
      sides: [delivering(2), delivering(1)],
    });
    const requestStage = await fillStage(lab.url, scaled(10_000));
    for (const [name, row] of Object.entries<Row>({
      'GET /me': ROWS['GET /me'],
      'POST notes': ROWS['POST notes'],
    })) {
      const answering = (servers: number) => ({
        name: servers === 1 ? 'one server' : `${servers} servers`,
        measure: async () => ({ rate: await answerAll(lab.url, requestStage, row, servers) }),
      });
      await compare(`workers: ${name}`, {
        rounds,
        figures: { rate: { unit: 'requests/s' } },
        sides: [answering(2), answering(1)],
      });
    }
  });
}

/**
 * Sends an equal share of the requests to each server from a separate load process, after a warm-up run.
 * @returns requests per second of all servers together
 */
async function answerAll(url: string, stage: RequestStage, row: Row, servers: number): Promise<number> {
  await using stack = new AsyncDisposableStack();
  const startPair = async () => ({
    server: stack.use(await startMeasured('test/servers/serve.ts')),
    load: stack.use(await startRequestLoad()),
  });
  const pairs = await Promise.all(Array.from({ length: servers }, startPair));
  const { concurrency, status, contains } = row;
  const once = async () => {
    const all = await row.make(stage, url);
    await queryPostgres(url, 'truncate rate_limits');
    const began = performance.now();
    await Promise.all(
      pairs.map(({ server, load }, number) => {
        const requests = all.filter((_, n) => n % servers === number);
        return load.run({
          url: server.url,
          requests,
          concurrency: Math.ceil(concurrency / servers),
          status,
          contains,
        });
      }),
    );
    return all.length / ((performance.now() - began) / 1_000);
  };
  await once();
  return await once();
}
