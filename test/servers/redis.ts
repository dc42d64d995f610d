import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';
import { findProgram } from '#scripts/tools/find-program.ts';
import { signal } from '#scripts/tools/processes.ts';

/** The program that tests with a Redis run; undefined when there is none to be had, and then it has been said. */
export const REDIS_SERVER = await findProgram(
  { debianPackage: 'redis-server', setting: 'REDIS_SERVER_PATH' },
  say,
);
if (REDIS_SERVER === undefined) {
  say(
    'SKIPPED: no redis-server is installed and none could be. Limits counted in Redis are NOT tested in this run.',
  );
  say('Install redis-server, or name one in REDIS_SERVER_PATH, and run the tests again.');
}

/** What it says once it listens. */
const READY = 'Ready to accept connections';
/** With characters that an address must encode. */
const PASSWORD = 'p@ss/w:rd';

export type TestRedis = {
  /** Asks it with a connection of its own. */
  client: Redis;
  /** Stops it in the middle of whatever it does, as a machine that hangs. */
  pause(): void;
  resume(): void;
  /** Ends it at once, as a power cut would; one that has ended stays so. */
  kill(): Promise<void>;
};

/** `REDIS_URL` for a Redis of the tests on a port of 127.0.0.1. */
export function redisUrl(port: number, password: string = PASSWORD): string {
  return `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}/0`;
}

/** Starts an empty Redis that keeps nothing on disk and listens on a port of 127.0.0.1 alone. */
export async function startRedis(port: number): Promise<TestRedis> {
  if (REDIS_SERVER === undefined) throw new Error('There is no redis-server.');
  const dir = await mkdtemp(join(tmpdir(), 'redis-'));
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--requirepass', PASSWORD];
  const nothingOnDisk = ['--save', '', '--appendonly', 'no', '--dir', dir];
  const child = spawn(REDIS_SERVER, [...args, ...nothingOnDisk], { stdio: ['ignore', 'pipe', 'ignore'] });
  const { pid } = child;
  if (pid === undefined) throw new Error('redis-server cannot be started.');
  const ended = once(child, 'exit');
  const kill = () => signal(pid, 'SIGKILL');
  // Also when a test fails before it ends its Redis.
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
