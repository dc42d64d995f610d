import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lab, startLab } from '#bench/lab/lab.ts';
import { fillStage, type RequestStage } from '#bench/lab/request-stage.ts';
import { type Sink, startSink } from '#bench/lab/sink.ts';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import {
  type ServerProcess,
  startServerProcess,
  startWorkerProcess,
  type WorkerProcess,
} from '#test/servers/service-processes.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

/** A workspace connected by many teammates, with hooks that listen for every event of the drills. */
export type DrillStage = RequestStage & { hookIds: string[] };

/** The real processes of an installation, with PostgreSQL and a receiver. */
export type DrilledService = {
  lab: Lab;
  sink: Sink;
  stage: DrillStage;
  /** Running servers: a drill that kills a server replaces it here. */
  servers: ServerProcess[];
  workers: WorkerProcess[];
  startServer(more?: Record<string, string>): Promise<ServerProcess>;
  startWorker(more?: Record<string, string>): Promise<WorkerProcess>;
};

export type DrillOptions = {
  servers?: number;
  workers?: number;
  /** Number of hooks for each event of the drills. */
  hooks?: number;
  settings?: Record<string, string>;
  /** A lab that the drill starts and stops itself. */
  lab?: Lab;
};

const CONVERSATIONS = 2_000;
const LISTENED_FOR = ['conversation.tagged', 'conversation.created'];

/**
 * Starts the processes, runs the drill, and kills the processes that still run. `DRILL_OUTPUT=1` prints their
 * output.
 */
export async function withDrilledService(
  { servers = 2, workers = 2, hooks = 5, settings = {}, lab: given }: DrillOptions,
  work: (service: DrilledService) => Promise<void>,
): Promise<void> {
  const lab = given ?? (await startLab());
  const sink = await startSink(PLATFORM.hooksHost);
  const mailDir = await mkdtemp(join(tmpdir(), 'drill-mail-'));
  const running: (ServerProcess | WorkerProcess)[] = [];
  const env = { LOG_LEVEL: 'warn', MAIL_DIR: mailDir, ...settings };
  const track = async <Process extends ServerProcess | WorkerProcess>(starting: Promise<Process>) => {
    const started = await starting;
    running.push(started);
    return started;
  };
  const startServer = (more = {}) => track(startServerProcess({ ...env, ...more }));
  const startWorker = (more = {}) => track(startWorkerProcess({ ...env, ...more }));
  try {
    setTestSettings({ DATABASE_URL: lab.url, HOOKS_CONNECT_TO: sink.connectTo, HOOKS_CA_FILE: sink.caFile });
    const filled = await fillStage(lab.url, CONVERSATIONS);
    const stage = { ...filled, hookIds: await makeHooks(filled.workspaceId, hooks) };
    const all = <T>(count: number, start: () => Promise<T>) =>
      Promise.all(Array.from({ length: count }, () => start()));
    await work({
      lab,
      sink,
      stage,
      startServer,
      startWorker,
      servers: await all(servers, startServer),
      workers: await all(workers, startWorker),
    });
  } finally {
    if (process.env.DRILL_OUTPUT) for (const { output } of running) console.log(output());
    await Promise.all(running.filter((each) => !each.hasEnded()).map((each) => each.kill()));
    await closeDatabase();
    await sink.stop();
    if (!given) await lab.stop();
    await rm(mailDir, { recursive: true, force: true });
  }
}

/** Creates hooks of the first connection: `count` for each event, each with a separate path at the sink. */
async function makeHooks(workspaceId: string, count: number): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    `insert into hooks (id, workspace_id, connection_id, event, target_url)
     select gen_random_uuid(), $1, c.id, event, 'https://${PLATFORM.hooksHost}/' || event || '/' || n
     from (select id from connections where workspace_id = $1 order by id limit 1) c,
       unnest($2::text[]) event, generate_series(1, $3::int) n
     returning id`,
    [workspaceId, LISTENED_FOR, count],
  );
  return rows.map(({ id }) => id);
}
