import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { projectDir } from '#server/core/project.ts';

/** A request, and what its response must be: this status, and this body unless only its beginning is given. */
export type BenchRequest = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

export type LoadOrder = {
  url: string;
  requests: BenchRequest[];
  atOnce: number;
  status: number;
  /** What every body must contain. */
  contains: string;
};

export type LoadResult = { tookMs: number; times: number[]; bytes: number } | { failed: string };

/** Starts the program that makes requests, in a process of its own. */
export async function startRequestLoad() {
  const child = spawn(process.execPath, ['bench/programs/request-load.ts'], {
    cwd: projectDir,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const nextMessage = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), ended.then(() => [undefined])]);
    if (message === undefined) throw new Error('The load ended.');
    return message;
  };
  await nextMessage();
  return {
    /** @throws when a response is not as it must be */
    run: async (order: LoadOrder): Promise<Exclude<LoadResult, { failed: string }>> => {
      const answered = nextMessage();
      child.send(order);
      const result = (await answered) as LoadResult;
      if ('failed' in result) throw new Error(result.failed);
      return result;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
