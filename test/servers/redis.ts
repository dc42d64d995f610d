import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { findProgram } from '#scripts/tools/find-program.ts';
import { signal } from '#scripts/tools/processes.ts';

/** Path of the program; undefined if it cannot be found, which was then printed. */
export const REDIS_SERVER = await findProgram(
  { debianPackage: 'redis-server', setting: 'REDIS_SERVER_PATH' },
  say,
);
if (REDIS_SERVER === undefined) {
  say(
    'SKIPPED: redis-server is not installed and could not be. Limits counted in Redis are NOT tested in this run.',
  );
  say('Install redis-server, or set REDIS_SERVER_PATH, and run the tests again.');
}

/** Log line of Redis when it listens. */
const READY = 'Ready to accept connections';
/** Contains characters that a URL must encode. */
const PASSWORD = 'p@ss/w:rd';

export type TestRedis = {
  /** A client with a separate connection. */
  client: Redis;
  /** Suspends the process, like a machine that hangs. */
  pause(): void;
  resume(): void;
  /** Kills the process immediately, like a power failure. Does nothing after it has exited. */
  kill(): Promise<void>;
};

/** Returns the `REDIS_URL` of a test's Redis on a port of 127.0.0.1. */
export function redisUrl(port: number, password: string = PASSWORD): string {
  return `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/0`;
}

/** Starts an empty Redis without persistence, on a port of 127.0.0.1 only. */
export async function startRedis(port: number): Promise<TestRedis> {
  if (REDIS_SERVER === undefined) throw new Error('redis-server is not available.');
  const dir = await mkdtemp(join(tmpdir(), 'redis-'));
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--requirepass', PASSWORD];
  const nothingOnDisk = ['--save', '', '--appendonly', 'no', '--dir', dir];
  const child = spawn(REDIS_SERVER, [...args, ...nothingOnDisk], { stdio: ['ignore', 'pipe', 'ignore'] });
  const { pid } = child;
  if (pid === undefined) throw new Error('redis-server cannot be started.');
  const ended = once(child, 'exit');
  const kill = () => signal(pid, 'SIGKILL');
  // Also kills Redis when a test fails before it stops it.
  process.once('exit', kill);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes(READY)) break;
  }
  if (!lines.at(-1)?.includes(READY)) throw new Error(`redis-server did not start:\n${lines.join('\n')}`);
  child.stdout.resume();
  const client = new Redis(redisUrl(port), { retryStrategy: () => null });
  client.on('error', () => undefined);
  return {
    client,
    pause: () => signal(pid, 'SIGSTOP'),
    resume: () => signal(pid, 'SIGCONT'),
    kill: async () => {
      client.disconnect();
      process.off('exit', kill);
      if (child.exitCode === null && child.signalCode === null) kill();
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function say(text: string): void {
  process.stderr.write(`\n${text}\n`);
}
