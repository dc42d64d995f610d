import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a client may go on sending before the connection is cut, in milliseconds. */
const LINGER_MS = 1_000;

/** Answers on a socket for which there is no response object, and closes it. */
export function respondOnSocket(socket: Duplex, status: number, message: string, requestId: string): void {
  const body = JSON.stringify({ message });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  closeSocket(socket, `${lines.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Closes a socket, perhaps with a last text. What the client still sends is thrown away for a moment: a connection
 * cut at once would often cost it the response.
 */
export function closeSocket(socket: Duplex, text = ''): void {
  // A client that is gone already is no fault of anyone's.
  socket.on('error', () => undefined);
  socket.end(text);
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}
