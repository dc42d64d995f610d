import type { ServerResponse } from 'node:http';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const CHUNK_MS = 10;
const BYTE_MS = 500;

/**
 * How a receiver may misbehave, by the first part of its hook's path, and what an attempt must make of it. The status decides
 * once it has come, whatever becomes of the body.
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

/** Misbehaves when a path asks for it. @returns whether it did */
export function misbehave(path: string, res: ServerResponse): boolean {
  const found = MISBEHAVIOURS[path.split('/')[1] ?? ''];
  found?.respond(res);
  return found !== undefined;
}

/** A byte of the body now and then, for ever. */
function drip(res: ServerResponse): void {
  res.writeHead(200);
  const timer = setInterval(() => res.write('x'), BYTE_MS);
  res.once('close', () => clearInterval(timer));
}

/** What Node would not write: a length that is not the body's. */
function writeRaw({ socket }: ServerResponse, text: string, ends = false): void {
  socket?.write(text);
  if (ends) socket?.end();
}

/** Without end, as fast as a network would bring it, and no faster than it is taken. */
function pour({ socket }: ServerResponse, beginning: string): void {
  if (!socket) return;
  socket.on('error', () => {});
  socket.write(beginning);
  const timer = setInterval(() => {
    if (!socket.writableNeedDrain) socket.write(CHUNK);
  }, CHUNK_MS);
  socket.once('close', () => clearInterval(timer));
}
