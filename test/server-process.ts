import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { signal } from '#scripts/tools/processes.ts';
import { projectDir } from '#scripts/tools/project.ts';

export type ServerProcess = {
  pid: number;
  url: string;
  /** All it has written so far. */
  output(): string;
  hasEnded(): boolean;
  /** Ends it in the midst of whatever it does (SIGKILL), and resolves when it is gone. */
  kill(): Promise<void>;
  /** Asks it to end in order, and resolves with its exit code. */
  stop(): Promise<number | null>;
};

/**
 * Starts a server in a process of its own, on a real socket.
 * @param settings environment variables besides those of this process, which `setTestSettings` has set
 */
export async function startServerProcess(settings: Record<string, string> = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['test/serve.ts'], {
    cwd: projectDir,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      written += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const port = await Promise.race([once(child, 'message'), ended]);
  if (!Array.isArray(port) || child.pid === undefined)
    throw new Error(`The server did not start:\n${written}`);
  const { pid } = child;
  return {
    pid,
    url: `http://127.0.0.1:${port[0]}`,
    output: () => written,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    kill: async () => {
      signal(pid, 'SIGKILL');
      await ended;
    },
    stop: () => {
      signal(pid, 'SIGTERM');
      return ended;
    },
  };
}
