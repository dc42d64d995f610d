import type { ServerResponse } from 'node:http';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const CHUNK_MS = 10;
const BYTE_MS = 500;

/**
 * Receivers' misbehaviours, by the first part of the hook's path, with the expected outcome of an attempt.
 * Once a status has arrived it decides, regardless of the body.
 */
export const MISBEHAVIOURS: Record<
  string,
  { outcome: 'delivered' | 'unreachable'; respond: (res: ServerResponse) => void }
> = {
  slow: { outcome: 'delivered', respond: drip },
  reset: { outcome: 'unreachable', respond: (res) => void res.socket?.destroy() },
  'too-short': {
    outcome: 'delivered',
    respond: (res) => writeRaw(res, 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nnot 1000', true),
  },
  'too-long': {
    outcome: 'delivered',
    respond: (res) => writeRaw(res, `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${'x'.repeat(100_000)}`),
  },
  'endless-body': { outcome: 'delivered', respond: (res) => pour(res, 'HTTP/1.1 200 OK\r\n\r\n') },
  'endless-headers': {
    outcome: 'unreachable',
    respond: (res) => pour(res, 'HTTP/1.1 200 OK\r\nX-Long: '),
  },
};

/**
 * Misbehaves if the path says so.
 * @returns whether it did
 */
export function misbehave(path: string, res: ServerResponse): boolean {
  const found = MISBEHAVIOURS[path.split('/')[1] ?? ''];
  found?.respond(res);
  return found !== undefined;
}

/** Sends one byte of the body every 500 ms, endlessly. */
function drip(res: ServerResponse): void {
  res.writeHead(200);
  const timer = setInterval(() => res.write('x'), BYTE_MS);
  res.once('close', () => clearInterval(timer));
}

/** Writes what Node would not: a length that differs from the body's. */
function writeRaw({ socket }: ServerResponse, text: string, ends = false): void {
  socket?.write(text);
  if (ends) socket?.end();
}

/** Sends endlessly, at the speed of a network, and respects backpressure. */
function pour({ socket }: ServerResponse, prefix: string): void {
  if (!socket) return;
  socket.on('error', () => {});
  socket.write(prefix);
  const timer = setInterval(() => {
    if (!socket.writableNeedDrain) socket.write(CHUNK);
  }, CHUNK_MS);
  socket.once('close', () => clearInterval(timer));
}
