import type { IncomingMessage } from 'node:http';

const LARGEST_BODY_BYTES = 1_000_000;

/** The body of a request as text; null when it is larger than 1 MB (the rest is read and dropped). */
export async function readBody(req: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size <= LARGEST_BODY_BYTES) chunks.push(chunk);
  }
  return size > LARGEST_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}
