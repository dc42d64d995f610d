import { PgBoss } from 'pg-boss';
import { loadOnOrder } from './load.mjs';
import { CONCURRENCY, makeTable, send } from './send.mjs';

// pg-boss with notifications, and jobs fetched and completed in batches.
const [mode] = process.argv.slice(2);
const QUEUE = 'send';
const BATCH = 10;

const boss = new PgBoss({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  useListenNotify: true,
  ...(mode === 'load' ? { supervise: false, schedule: false, migrate: false } : {}),
});
boss.on('error', (error) => console.error(error));
await boss.start();

if (mode === 'load') {
  await boss.getQueue(QUEUE);
  loadOnOrder((jobs) =>
    boss.insert(
      QUEUE,
      jobs.map((data) => ({ data })),
    ),
  );
} else {
  await makeTable();
  await boss.createQueue(QUEUE, { notify: true });
  const options = {
    batchSize: BATCH,
    localConcurrency: CONCURRENCY / BATCH,
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
  };
  await boss.work(QUEUE, options, (jobs) => Promise.all(jobs.map(({ data }) => send(data))));
  process.on('SIGTERM', () => process.exit(0));
  process.send('ready');
}
