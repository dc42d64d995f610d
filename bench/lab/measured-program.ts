import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { projectDir } from '#server/core/project.ts';

/** Work of a program since the previous read. `rssBytes` is the current memory. */
export type Work = { statements: number; cpuMs: number; rssBytes: number; texts: string[] };

/** A server in a separate process that reports its work. */
export type MeasuredProgram = {
  url: string;
  /** Returns the work since the previous call. */
  work(): Promise<Work>;
  request(order: object): Promise<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Starts a program, which sends the port it listens on. `BENCH_CPU_PROF` is a folder for CPU profiles.
 * @param env additional environment variables
 * @param folder of the project whose program is started
 */
export async function startMeasured(
  program: string,
  env: Record<string, string> = {},
  folder = projectDir,
): Promise<MeasuredProgram> {
  const { BENCH_CPU_PROF: profiles } = process.env;
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const started = [...profiling, '--import', './bench/programs/count-work.ts', program];
  const child = spawn(process.execPath, started, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const nextMessage = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), ended.then(() => [undefined])]);
    if (message === undefined) throw new Error(`${program} exited.`);
    return message;
  };
  const port = await nextMessage();
  return {
    url: `http://127.0.0.1:${port}`,
    request: (order) => {
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
