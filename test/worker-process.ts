import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectDir } from '#scripts/tools/project.ts';

/** A worker that runs in a process of its own. */
export type WorkerProcess = {
  pid: number;
  /** All it has written so far. */
  output(): string;
  hasEnded(): boolean;
  /** Ends it in the midst of whatever it does (SIGKILL), and resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end in order (SIGTERM), and resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Halts it where it is (SIGSTOP), as a machine does that is suspended. */
  freeze(): void;
  /** Lets it go on (SIGCONT). */
  thaw(): void;
};

/**
 * Starts the worker in a process of its own, and waits until it says that it is ready.
 * @param settings environment variables besides those of this process, which `setTestSettings` has set
 */
export async function startWorkerProcess(settings: Record<string, string> = {}): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['worker/main.ts'], {
    cwd: projectDir,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = gatherOutput(child);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = await Promise.race([once(child, 'message'), ended]);
  const { pid } = child;
  if (!Array.isArray(ready) || pid === undefined) throw new Error(`The worker did not start:\n${output()}`);
  return {
    pid,
    output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}

function gatherOutput(child: ChildProcess): () => string {
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      written += chunk.toString();
    });
  }
  return () => written;
}
