import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { machineMs } from '#bench/clock.ts';
import type { Lab } from '#bench/lab.ts';
import { startLoad } from '#bench/load.ts';
import type { Sink } from '#bench/sink.ts';
import { projectPath } from '#scripts/tools/project.ts';
import { askPostgres } from '#test/ask-postgres.ts';

export type PeerName = 'graphile-worker' | 'pg-boss';

/** How many jobs: so many for each change. `everyMs`: the pause between two changes. */
export type PeerOrder = { changes: number; each: number; everyMs?: number };

const PEER_PACKAGES = ['pg-boss', '@node-oauth/oauth2-server', 'oidc-provider'];

/** Installs the queues and libraries beside which we measure, unless they are there. They are a package of their own. */
export async function preparePeers(): Promise<void> {
  const folder = projectPath('bench', 'peers');
  const installed = PEER_PACKAGES.every((name) =>
    existsSync(projectPath('bench', 'peers', 'node_modules', name)),
  );
  if (installed) return;
  console.log('Installing what we measure beside: npm ci --prefix bench/peers');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await promisify(execFile)(npm, ['ci', '--no-audit', '--no-fund'], { cwd: folder });
}

/** Starts a bare queue in a process of its own: for each job one POST to the sink and one insert. */
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
    /** Queues jobs and waits until each has been sent and inserted. @returns how many a second */
    async deliver(order: PeerOrder): Promise<number> {
      const jobs = order.changes * order.each;
      await askPostgres(url, 'truncate bench_attempts');
      await sink.reset(jobs);
      const { beganAt } = await load.run(order);
      await sink.complete();
      const endedAt = await untilInserted(url, jobs);
      const { requests, arrivals } = await sink.report();
      if (requests !== jobs || arrivals.length !== jobs) {
        throw new Error(`Of ${jobs} jobs ${arrivals.length} arrived, in ${requests} requests.`);
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
    const count = await askPostgres(url, 'select count(*)::int from bench_attempts');
    const now = machineMs();
    if (count === jobs) return now;
    if (performance.now() > deadline) throw new Error(`Of ${jobs} jobs ${count} were inserted.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
