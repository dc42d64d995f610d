import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Lab, startLab } from '#bench/lab/lab.ts';
import { fillStage, type RequestStage } from '#bench/lab/request-stage.ts';
import { type Sink, startSink } from '#bench/lab/sink.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { makeHooks } from '#test/faults/make-hooks.ts';
import { type ProcessGroup, processGroup } from '#test/faults/process-group.ts';
import type { ServerProcess, WorkerProcess } from '#test/servers/service-processes.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

/** A workspace connected by many teammates, with hooks that listen for every event of the drills. */
export type DrillStage = RequestStage & { hookIds: string[] };

/** The real processes of an installation, with PostgreSQL and a receiver. */
export type DrilledService = Pick<ProcessGroup, 'startServer' | 'startWorker'> & {
  lab: Lab;
  sink: Sink;
  stage: DrillStage;
  /** Running servers: a drill that kills a server replaces it here. */
  servers: ServerProcess[];
  workers: WorkerProcess[];
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
  const { startServer, startWorker, ...group } = processGroup({ MAIL_DIR: mailDir, ...settings });
  try {
    setTestSettings({ DATABASE_URL: lab.url, HOOKS_CONNECT_TO: sink.connectTo, HOOKS_CA_FILE: sink.caFile });
    const stage = await fillDrillStage(lab.url, { conversations: CONVERSATIONS, hooks });
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
    if (process.env.DRILL_OUTPUT) console.log(group.output());
    await group.killAll();
    await closeDatabase();
    await sink.stop();
    if (!given) await lab.stop();
    await rm(mailDir, { recursive: true, force: true });
  }
}

/**
 * Fills the workspace of a drill.
 * @param hooks number of hooks for each event of the drills
 */
export async function fillDrillStage(
  url: string,
  { conversations, hooks }: { conversations: number; hooks: number },
): Promise<DrillStage> {
  const filled = await fillStage(url, conversations);
  return { ...filled, hookIds: await subscribe(filled.workspaceId, hooks) };
}

/** Creates hooks of the first connection: `count` for each event, each with a separate path at the sink. */
async function subscribe(workspaceId: string, count: number): Promise<string[]> {
  const connection = await db().connection.findFirstOrThrow({
    where: { workspaceId },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const created = await Promise.all(
    LISTENED_FOR.map((event) =>
      makeHooks(
        { ...connection, workspaceId },
        { event, paths: numbers.map((number) => `/${event}/${number}`) },
      ),
    ),
  );
  return created.flat().map(({ id }) => id);
}
