import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { projectDir } from '#server/core/project.ts';

/** One writer per conversation. `everyMs`: pause between two changes of a writer, or null for none. */
export type ChangeOrder = {
  workspaceId: string;
  teammate: Teammate;
  conversations: string[];
  changes: number;
  everyMs: number | null;
};

const done = z.object({ beganAt: z.number(), commits: z.array(z.number()) });

/** Machine time of each commit, and of the start of the first change. */
export type Load = z.infer<typeof done>;

/**
 * Starts a program in a separate process that makes changes on each order and responds with their commit
 * times. The process is warmed up from the second order on.
 */
export async function startLoad<Order extends object>(
  program: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: projectDir,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const nextMessage = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), ended.then(([code]) => [{ code }])]);
    return message;
  };
  await nextMessage();
  return {
    run: async (order: Order): Promise<Load> => {
      const answered = nextMessage();
      child.send(order);
      return done.parse(await answered);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
