import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectDir } from '#server/core/project.ts';

/** Timeout of a start, in ms. It only ends a test that hangs. */
const START_MS = 180_000;

/** A program of the project in its own process, which has reported that it is ready. */
export type ChildProgram<Message = unknown> = {
  pid: number;
  message: Message;
  output(): string;
  hasEnded(): boolean;
  /** Sends SIGKILL and waits for its end. */
  kill(): Promise<void>;
  /** Sends SIGTERM and resolves with its exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGSTOP. */
  freeze(): void;
  /** Sends SIGCONT. */
  thaw(): void;
};

/**
 * Starts a program in its own process and waits for its first message.
 * @param settings environment variables besides those of this process
 * @param folder of another release of the project
 * @throws with its output when it ends first, or sends nothing within three minutes
 */
export async function startProgram<Message>(
  program: string,
  settings: Record<string, string> = {},
  folder = projectDir,
): Promise<ChildProgram<Message>> {
  const child = spawn(process.execPath, [program], {
    cwd: folder,
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
  const hung = setTimeout(() => {
    written += `It sent no message within ${START_MS / 1_000} s.\n`;
    child.kill('SIGKILL');
  }, START_MS);
  const first = await Promise.race([once(child, 'message'), ended]);
  clearTimeout(hung);
  const { pid } = child;
  if (!Array.isArray(first) || pid === undefined) throw new Error(`${program} did not start:\n${written}`);
  return {
    pid,
    message: first[0],
    output: () => written,
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
