import { performance } from 'node:perf_hooks';
import { machineMs } from '#bench/lab/clock.ts';
import { type Lab, startLab } from '#bench/lab/lab.ts';
import { type ChangeOrder, startLoad } from '#bench/lab/load.ts';
import { type Sink, startSink } from '#bench/lab/sink.ts';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { makeHooks } from '#test/faults/make-hooks.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { startWorkerProcess } from '#test/servers/service-processes.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

type Engine = { lab: Lab; sink: Sink; use(url: string): Promise<void> };

/** A workspace with hooks that all listen for the same event, and conversations to change. */
export type Stage = Awaited<ReturnType<typeof makeStage>>;

const WRITERS = 4;

/** Runs `work` with a database, a sink and matching settings in this process, and stops them afterwards. */
export async function withEngine(work: (engine: Engine) => Promise<void>): Promise<void> {
  const lab = await startLab();
  const sink = await startSink(PLATFORM.hooksHost);
  const use = async (url: string) => {
    await closeDatabase();
    setTestSettings({ DATABASE_URL: url, HOOKS_CONNECT_TO: sink.connectTo, HOOKS_CA_FILE: sink.caFile });
  };
  try {
    await use(lab.url);
    await work({ lab, sink, use });
  } finally {
    await closeDatabase();
    await sink.stop();
    await lab.stop();
  }
}

/**
 * @param paths paths of the hooks at the sink
 * @param count number of conversations to change
 */
export async function makeStage(paths: string[], count = WRITERS) {
  const connection = await makeConnection();
  const hooks = await makeHooks(connection, { event: 'conversation.status_changed', paths });
  const conversations: string[] = [];
  for (let writer = 0; writer < count; writer += 1) {
    conversations.push(await makeConversation(connection, { channel: 'webchat' }));
  }
  return { ...connection, hookIds: hooks.map(({ id }) => id), conversations };
}

export async function startWorker(settings: Record<string, string> = {}) {
  const worker = await startWorkerProcess({ LOG_LEVEL: 'warn', ...settings });
  return { ...worker, [Symbol.asyncDispose]: async () => void (await worker.stop()) };
}

/**
 * Starts a separate process that changes conversations of a stage: with a pause between changes, or as fast
 * as four writers can.
 */
export async function startChanging({ workspaceId, teammate, conversations }: Stage) {
  const load = await startLoad<ChangeOrder>('bench/programs/change-load.ts');
  return {
    run: ({ changes, everyMs }: { changes: number; everyMs?: number }) =>
      load.run({
        workspaceId,
        teammate,
        changes,
        everyMs: everyMs ?? null,
        conversations: everyMs === undefined ? conversations : conversations.slice(0, 1),
      }),
    [Symbol.asyncDispose]: load[Symbol.asyncDispose],
  };
}

/**
 * Waits until these hooks have nothing left to send.
 * @returns the machine's time of that check
 */
export async function untilRecorded(hookIds: string[], timeoutMs = 60_000): Promise<number> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const { rows } = await pool().query<{ left: boolean }>({
      name: 'bench-left',
      // Force the index of unfinished deliveries: another index would scan all deliveries of these hooks.
      text: `select exists (select from events_to_fan_out) or exists (
        select from unnest($1::uuid[]) h cross join lateral (
          select from deliveries d where d.hook_id = h and d.ended_at is null
          order by d.next_attempt_at, d.event_id limit 1) u) as left`,
      values: [hookIds],
    });
    if (!rows[0]?.left) return machineMs();
    if (performance.now() > deadline)
      throw new Error(`Some deliveries were not recorded within ${timeoutMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/**
 * Checks that every delivery arrived once and has one attempt and its outcome. Otherwise the figure does not
 * count.
 */
export async function checkExact(
  sink: Sink,
  { hookIds, events }: { hookIds: string[]; events: number },
): Promise<void> {
  const expected = hookIds.length * events;
  const { requests, arrivals } = await sink.report();
  const { rows } = await pool().query<{ attempts: number }>(
    `select count(*)::int as attempts
     from deliveries d join attempts a on a.event_id = d.event_id and a.delivery_id = d.id
     where d.event_id = any ($1::uuid[]) and d.hook_id = any ($2::uuid[]) and d.outcome = 'delivered'`,
    [[...new Set(arrivals.map(({ id }) => id))], hookIds],
  );
  const attempts = rows[0]?.attempts ?? 0;
  if (arrivals.length !== expected || requests !== expected || attempts !== expected) {
    throw new Error(
      `${arrivals.length} of ${expected} deliveries arrived, in ${requests} requests, and left ${attempts} attempts.`,
    );
  }
}

/** Reads a metric of the process with this `METRICS_PORT`. Returns 0 while the process does not respond. */
export async function readMetric(port: string | number, name: string): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (response) => response.text(),
    () => '',
  );
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? 0);
}

export async function readMemory(port: string | number): Promise<number> {
  return (await readMetric(port, 'process_resident_memory_bytes')) / 1024 / 1024;
}
