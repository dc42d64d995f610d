import type { IncomingMessage } from 'node:http';

/**
 * Reads a body up to `maxBytes`; undefined when there is more. The rest is then taken in and thrown away: a
 * connection closed while a client still writes would often cost it the answer.
 */
export async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(req.headers['content-length']) > maxBytes) return undefined;
  return new Promise((resolve, reject) => {
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
    req.on('error', reject);
    req.on('close', () => reject(new Error('The request was broken off.')));
  });
}
