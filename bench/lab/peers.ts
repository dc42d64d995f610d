import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { machineMs } from '#bench/lab/clock.ts';
import type { Lab } from '#bench/lab/lab.ts';
import { startLoad } from '#bench/lab/load.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { installPackages } from '#scripts/tools/install-packages.mjs';
import { projectPath } from '#server/core/project.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';

export type PeerName = 'graphile-worker' | 'pg-boss';

const PEERS = ['graphile-worker', 'pg-boss'] as const satisfies PeerName[];

/** Returns the queues to compare with: those in `BENCH_PEERS`, by default both. */
export function chosenPeers(): PeerName[] {
  const { BENCH_PEERS } = process.env;
  return BENCH_PEERS === undefined
    ? [...PEERS]
    : PEERS.filter((name) => BENCH_PEERS.split(',').includes(name));
}

/** `each`: jobs per change. `everyMs`: pause between two changes. */
export type PeerOrder = { changes: number; each: number; everyMs?: number };

/** Installs the packages to compare with, unless they are up to date. They are a separate package. */
export async function preparePeers(): Promise<void> {
  await installPackages(projectPath('bench', 'peers'), 'bench/peers');
}

/** Starts a bare queue in a separate process: each job sends one POST to the sink and inserts one row. */
export async function startPeer(name: PeerName, { lab, sink }: { lab: Lab; sink: Sink }) {
  const url = await lab.emptyDatabase('peer');
  const env = { DATABASE_URL: url, SINK: sink.connectTo, SINK_HOST: sink.host, SINK_CA: sink.caFile };
  const program = `bench/peers/${name}.mjs`;
  const child = spawn(process.execPath, [projectPath(program), 'work'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');

  const load = await startLoad<PeerOrder>(program, { args: ['load'], env });
  return {
    load: load.run,
    /**
     * Queues jobs and waits until each is sent and inserted.
     * @returns jobs per second
     */
    async deliver(order: PeerOrder): Promise<number> {
      const jobs = order.changes * order.each;
      await queryPostgres(url, 'truncate bench_attempts');
      await sink.reset(jobs);
      const { beganAt } = await load.run(order);
      await sink.complete();
      const endedAt = await untilInserted(url, jobs);
      const { requests, arrivals } = await sink.report();
      if (requests !== jobs || arrivals.length !== jobs) {
        throw new Error(`${arrivals.length} of ${jobs} jobs arrived, in ${requests} requests.`);
      }
      return jobs / ((endedAt - beganAt) / 1_000);
    },
    [Symbol.asyncDispose]: async () => {
      await load[Symbol.asyncDispose]();
      await end(child);
    },
  };
}

async function untilInserted(url: string, jobs: number): Promise<number> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const count = await queryPostgres(url, 'select count(*)::int from bench_attempts');
    const now = machineMs();
    if (count === jobs) return now;
    if (performance.now() > deadline) throw new Error(`${count} of ${jobs} jobs were inserted.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
