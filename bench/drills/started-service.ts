import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardPostgres } from '#bench/lab/lab-postgres.ts';
import { runningPostgres } from '#scripts/postgres/running-postgres.ts';
import { endToEndEnvironment } from '#scripts/start/end-to-end-environment.ts';
import { findFreePort } from '#scripts/tools/ports.ts';
import { projectDir, projectPath } from '#server/core/project.ts';

/** The whole service as started by `npm start`, with fresh demo data on separate ports. */
export type StartedService = {
  url: string;
  /** Address of the stand-in platform. */
  platformUrl: string;
  metricsUrl: string;
  databaseUrl: string;
  stop(): Promise<void>;
};

/** The first build of the screens takes minutes on a busy machine. */
const READY_MS = 10 * 60_000;

/**
 * Starts server, worker, stand-in platform and an embedded PostgreSQL for one drill.
 * @param settings additional environment variables
 * @throws when the service is not ready within ten minutes
 */
export async function startService(
  name: string,
  settings: Record<string, string> = {},
): Promise<StartedService> {
  const [port, platform, hooks, metrics] = await findFreePorts(4);
  const url = `http://localhost:${port}`;
  const dataDir = `.data/e2e-drill-${name}`;
  const postgresHome = projectPath(dataDir, 'postgres');
  const endGuard = guardPostgres(postgresHome);
  const child = spawn(process.execPath, ['scripts/commands/start-fresh.ts'], {
    cwd: projectDir,
    env: {
      ...process.env,
      ...endToEndEnvironment(process.env),
      PORT: `${port}`,
      PLATFORM_PORT: `${platform}`,
      PLATFORM_HOOKS_PORT: `${hooks}`,
      METRICS_PORT: `${metrics}`,
      DATA_DIR: dataDir,
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await endGuard();
  };
  try {
    await untilReady(url, ended);
  } catch (error) {
    if (child.exitCode === null) await stop();
    throw error;
  }
  const databaseUrl = (await runningPostgres(postgresHome, 'inbox')) ?? '';
  return {
    url,
    platformUrl: `http://localhost:${platform}`,
    metricsUrl: `http://127.0.0.1:${metrics}/metrics`,
    databaseUrl,
    stop,
  };
}

async function untilReady(url: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const deadline = performance.now() + READY_MS;
  while (!isOver && performance.now() < deadline) {
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(250);
  }
  throw new Error(isOver ? 'The service exited before it was ready.' : 'The service did not become ready.');
}

/** Returns distinct ports: the system may return one port twice. */
async function findFreePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await findFreePort());
  return [...ports];
}
