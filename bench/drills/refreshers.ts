import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestStage } from '#bench/lab/request-stage.ts';
import { tokenClient } from '#test/clients/token-client.ts';

/** Status from the token endpoint, or a broken connection without a response. */
export type Refresh = { status: number | 'broken off' };

/**
 * Refreshes access tokens as the platform does, two at a time. Uses connections that the writers do not use.
 */
export function startRefreshers(
  stage: RequestStage,
  urls: () => string[],
  { concurrency = 2, pauseMs = 40 }: { concurrency?: number; pauseMs?: number } = {},
) {
  // A refresh invalidates the previous access token, which a writer would still use. So reserve the last
  // connections.
  const tokens = stage.connections.splice(-32).map(({ refreshToken }) => refreshToken);
  const responses: Refresh[] = [];
  let isOver = false;
  let made = 0;
  const refresh = async () => {
    while (!isOver) {
      made += 1;
      const running = urls();
      const url = running[made % running.length];
      const token = tokens[made % tokens.length] ?? '';
      if (url !== undefined) {
        const answered = await tokenClient(url)
          .refresh(token)
          .then(
            ({ status }): Refresh => ({ status }),
            (): Refresh => ({ status: 'broken off' }),
          );
        responses.push(answered);
      }
      await sleep(pauseMs);
    }
  };
  const all = Promise.all(Array.from({ length: concurrency }, refresh));
  return {
    stop: async () => {
      isOver = true;
      await all;
      return responses;
    },
  };
}
