import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { log } from '#server/core/log.ts';
import { requestId } from '#server/http/response/send-json.ts';

/** Responses per connection that have not been sent completely. More than one only if requests are pipelined. */
const unsent = new WeakMap<Duplex, ServerResponse[]>();
/** Connections that were already refused; further data from the client would fail again. */
const refused = new WeakSet<Duplex>();

/** Records that a request of this connection will get a response. */
export function rememberResponse(res: ServerResponse): void {
  const { socket } = res.req;
  const before = unsent.get(socket)?.filter((response) => !response.writableFinished) ?? [];
  unsent.set(socket, [...before, res]);
}

/**
 * Responds to a request that is not valid HTTP or is late (the server's `clientError`), and closes the
 * connection. Sends nothing where it could be taken for the response to another request.
 */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  const [status, message] = REFUSALS.get(error.code ?? '') ?? MALFORMED;
  const responses = unsent.get(socket) ?? [];
  // The last response can belong to the broken request itself, if its headers were valid.
  const own = responses.at(-1)?.req.complete === false ? responses.at(-1) : undefined;
  const earlier = responses.findLast((response) => response !== own && !response.writableFinished);
  const id = own ? requestId(own) : randomUUID();

  if (!socket.writable || nothingWasSent(socket) || own?.headersSent) {
    socket.destroy();
    return;
  }
  log().info({ requestId: id, status, reason: error.code }, 'http.refused');
  if (earlier) earlier.once('close', () => closeSocket(socket));
  else respondOnSocket(socket, status, message, id);
}

/** Browsers and load balancers open connections that they never use. */
function nothingWasSent(socket: Duplex): boolean {
  return socket instanceof Socket && socket.bytesRead === 0;
}

const MALFORMED = [400, 'The request is not valid HTTP.'] as const;
const REFUSALS = new Map<string, readonly [status: number, message: string]>([
  ['HPE_HEADER_OVERFLOW', [431, 'The headers of the request are too large.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The chunk extensions of the request are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);

/** Time for which a client can keep sending before the connection is cut, in ms. */
const LINGER_MS = 1_000;

/** Sends a response on a socket without a response object, and closes the socket. */
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
 * Closes a socket after an optional last text. Discards data from the client briefly first, because a
 * connection that is reset immediately often loses the response.
 */
function closeSocket(socket: Duplex, text = ''): void {
  // A client that has already disconnected is not an error.
  socket.on('error', () => undefined);
  socket.end(text);
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** An absolute URL: its host and the rest. User info is not allowed. */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?].*)?$/i;

/**
 * Checks a request's target and host (RFC 9112 §3.2). Returns the message of a `400`, or undefined. Rewrites
 * the request of an absolute URL: its path becomes the target, and its host replaces the header's.
 */
export function checkRequest(req: IncomingMessage): string | undefined {
  const hosts = req.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1 || (hosts === 0 && req.httpVersion === '1.1'))
    return 'The request must have exactly one Host header.';
  const [, host, rest = ''] = ABSOLUTE.exec(req.url ?? '') ?? [];
  if (host !== undefined) {
    req.headers.host = host;
    req.url = rest.startsWith('/') ? rest : `/${rest}`;
  }
  return req.url?.startsWith('/') ? undefined : 'The target of the request must be a path.';
}
