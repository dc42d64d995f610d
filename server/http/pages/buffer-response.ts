import type { ServerResponse } from 'node:http';

/**
 * Buffers the body of a response instead of sending it, so the page must be small.
 * @param onEnd receives the complete body, and the callback of `end`
 */
export function bufferResponse(
  res: ServerResponse,
  onEnd: (body: Buffer, done: (() => void) | undefined) => void,
): void {
  const chunks: Buffer[] = [];
  const collect = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === 'string') {
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    } else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  res.write = ((chunk: unknown, ...rest: unknown[]) => {
    collect(chunk, rest[0]);
    const done = rest.find((one) => typeof one === 'function');
    if (typeof done === 'function') process.nextTick(() => done());
    return true;
  }) as typeof res.write;
  res.end = ((...args: unknown[]) => {
    collect(args[0], args[1]);
    const done = args.find((one) => typeof one === 'function') as (() => void) | undefined;
    onEnd(Buffer.concat(chunks), done);
    return res;
  }) as typeof res.end;
}
