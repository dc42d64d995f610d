import type { IncomingMessage } from 'node:http';
import { holdBodyBytes } from '#server/http/request/body-limits.ts';
import { throwAway } from '#server/http/request/throw-away.ts';
import { watchBodySpeed } from '#server/http/request/watch-body-speed.ts';

/**
 * Reads a body up to `maxBytes`; undefined when there is more. The rest is then taken in and thrown away: a
 * connection closed while a client still writes would often cost it the response. Never settles when the request is
 * broken off: no one waits for a response any more, and half a body must not be acted upon.
 * @throws RequestProblem when it comes too slowly, or the process holds too much of other bodies
 */
export async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(req.headers['content-length']) > maxBytes) return undefined;
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases.splice(0)) each();
  };
  return new Promise<Buffer | undefined>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (done: () => void) => {
      stopWatching();
      req.off('data', take);
      if (!req.complete) void throwAway(req);
      chunks.length = 0;
      release();
      done();
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) return settle(() => resolve(undefined));
      try {
        releases.push(holdBodyBytes(chunk.length));
        chunks.push(chunk);
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const stopWatching = watchBodySpeed(req, (problem) => settle(() => reject(problem)));
    req.on('data', take);
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      settle(() => resolve(body));
    });
    req.on('close', () => settle(() => undefined));
  });
}
