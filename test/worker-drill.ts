import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { closeDatabase, pool } from '#server/core/database/db.ts';
import { createTestDatabase, type TestDatabase } from '#test/database.ts';
import { startReceiver } from '#test/receiver.ts';
import { PLATFORM, setTestSettings } from '#test/settings.ts';
import { startWorkerProcess, type WorkerProcess } from '#test/worker-process.ts';

/** A worker together with the ids of the pools in which it began to work off jobs. */
export type DrilledWorker = WorkerProcess & { poolIds: string[] };

export type Drill = {
  databaseUrl: string;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
  /** Starts a worker; not two at once, or whose pools are whose cannot be seen. */
  startWorker(settings?: Record<string, string>): Promise<DrilledWorker>;
};

/**
 * For a test file about what workers survive: a database, a receiver, and workers that run in processes of their own.
 * What still runs after a test is killed, and the receiver answers 200 again.
 * @param settings environment variables besides the usual ones
 * @returns what asks for the parts once they run
 */
export function withWorkerDrill(
  settings: Record<string, string> = {},
  openDatabase: () => Promise<TestDatabase> = createTestDatabase,
): () => Drill {
  const workers: WorkerProcess[] = [];
  let drill: Drill | undefined;
  let database: TestDatabase | undefined;
  const running = () => {
    if (!drill) throw new Error('The drill is asked for before it runs.');
    return drill;
  };

  beforeAll(async () => {
    database = await openDatabase();
    const receiver = await startReceiver(PLATFORM.hooksHost);
    setTestSettings({
      DATABASE_URL: database.url,
      HOOKS_CONNECT_TO: receiver.connectTo,
      HOOKS_CA_FILE: receiver.caFile,
      ...settings,
    });
    drill = {
      databaseUrl: database.url,
      receiver,
      startWorker: async (more) => {
        const before = new Set(await livePools());
        const worker = await startWorkerProcess({ LOG_LEVEL: 'warn', ...settings, ...more });
        workers.push(worker);
        return { ...worker, poolIds: (await livePools()).filter((id) => !before.has(id)) };
      },
    };
  });
  beforeEach(() => {
    running().receiver.received.length = 0;
    running().receiver.respond(() => ({ status: 200 }));
  });
  afterEach(async ({ task }) => {
    const ran = workers.splice(0);
    await Promise.all(ran.map((worker) => worker.kill()));
    if (task.result?.state !== 'fail') return;
    for (const { pid, output } of ran) process.stderr.write(`Worker ${pid} wrote:\n${output()}\n`);
  });
  afterAll(async () => {
    await closeDatabase();
    await database?.drop();
    await drill?.receiver.stop();
  });
  return running;
}

/** The pools of workers that hold a lease, whether it has run out or not. */
export async function livePools(): Promise<string[]> {
  const { rows } = await pool().query<{ pool_id: string }>('select pool_id from worker_leases');
  return rows.map((row) => row.pool_id);
}
