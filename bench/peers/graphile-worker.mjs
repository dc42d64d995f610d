import { makeWorkerUtils, run } from 'graphile-worker';
import { loadOnOrder } from './load.mjs';
import { CONCURRENCY, makeTable, pool, send } from './send.mjs';

// graphile-worker with all its batching: it fetches, completes and fails jobs in batches.
const [mode] = process.argv.slice(2);

if (mode === 'load') {
  const spec = (payload) => ({ identifier: 'send', payload });
  const utils = await makeWorkerUtils({ pgPool: pool });
  await utils.withPgClient((client) => client.query('select 1'));
  loadOnOrder((jobs) => utils.addJobs(jobs.map(spec)));
} else {
  await makeTable();
  const runner = await run({
    pgPool: pool,
    concurrency: CONCURRENCY,
    pollInterval: 1_000,
    noHandleSignals: true,
    taskList: { send: (job) => send(job) },
    parsedCronItems: [],
    preset: {
      worker: {
        localQueue: { size: 2 * CONCURRENCY, ttl: 1_000 },
        completeJobBatchDelay: 5,
        failJobBatchDelay: 5,
      },
    },
  });
  process.on('SIGTERM', () => process.exit(0));
  // A runner that gave up: the supervisor starts a new process.
  runner.promise.finally(() => process.exit(1)).catch(() => {});
  process.send('ready');
}
