import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { projectDir } from '#server/core/project.ts';

// Loaded before a program whose requests are measured (node --import): counts the statements that it sends to PostgreSQL, and
// says on request how many there were, and how much processor time and memory it took.

/** What a program did since it was asked last; `rssBytes` is what it holds now. */
export type Work = { statements: number; cpuMs: number; rssBytes: number; texts: string[] };

/** A server in a process of its own that says what it has done. */
export type MeasuredProgram = {
  url: string;
  /** What it did since it was asked last. */
  work(): Promise<Work>;
  /** Sends it an order, and returns what it answers. */
  ask(order: object): Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Starts a program that sends the port it listens on. `BENCH_CPU_PROF` names a folder for profiles of its processor time.
 * @param env environment variables besides those of this process
 * @param args arguments of the program
 */
export async function startMeasured(
  program: string,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<MeasuredProgram> {
  const { BENCH_CPU_PROF: profiles } = process.env;
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const started = [...profiling, '--import', './bench/programs/count-work.ts', program, ...args];
  const child = spawn(process.execPath, started, {
    cwd: projectDir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const nextMessage = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), ended.then(() => [undefined])]);
    if (message === undefined) throw new Error(`${program} ended.`);
    return message;
  };
  const port = await nextMessage();
  return {
    url: `http://127.0.0.1:${port}`,
    ask: (order) => {
      const answered = nextMessage();
      child.send(order);
      return answered;
    },
    work: async () => {
      const answered = nextMessage();
      child.send('work');
      return (await answered) as Work;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
