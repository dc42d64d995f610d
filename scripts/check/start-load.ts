import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { projectPath } from '#server/core/project.ts';

/** Busy loops. They end when this process is killed. */
type Load = { pids: number[]; stop(): Promise<void> };

/** Starts a low-priority busy loop for each core and waits until all run. */
export async function startLoad(cores = availableParallelism()): Promise<Load> {
  const loops = Array.from({ length: cores }, () =>
    // The loop ends when this channel closes.
    spawn(process.execPath, [projectPath('scripts', 'check', 'busy-loop.ts')], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  await Promise.all(loops.map(started));
  return {
    pids: loops.flatMap(({ pid }) => pid ?? []),
    stop: async () => {
      await Promise.all(loops.map(end));
    },
  };
}

/** @throws when the loop ends instead of starting */
async function started(loop: ChildProcess): Promise<void> {
  await Promise.race([
    once(loop, 'message'),
    once(loop, 'exit').then(() => Promise.reject(new Error('A busy loop did not start.'))),
  ]);
}

async function end(loop: ChildProcess): Promise<void> {
  if (loop.exitCode !== null || loop.signalCode !== null) return;
  const ended = once(loop, 'exit');
  loop.kill('SIGKILL');
  await ended;
}
