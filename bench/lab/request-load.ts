import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { projectDir } from '#server/core/project.ts';

export type BenchRequest = {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

export type LoadOrder = {
  url: string;
  requests: BenchRequest[];
  concurrency: number;
  status: number;
  contains: string;
};

export type LoadResult = { tookMs: number; times: number[] } | { failed: string };

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
    /** @throws when a response has another status or body */
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
