import type { IncomingMessage } from 'node:http';

/**
 * Reads a body up to `maxBytes`; undefined when there is more. The rest is then taken in and thrown away: a
 * connection closed while a client still writes would often cost it the answer. Never settles when the request is
 * broken off: nobody waits for an answer any more, and half a body must not be acted upon.
 */
export async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(req.headers['content-length']) > maxBytes) return undefined;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      resolve(undefined);
    });
    req.on('end', () => resolve(Buffer.concat(chunks)));
  });
}
