import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { log } from '#server/core/log.ts';
import { requestId } from '#server/http/response/send-json.ts';

/** Responses that were begun on a connection and have not been sent; more than one only if requests are pipelined. */
const unsent = new WeakMap<Duplex, ServerResponse[]>();
/** Connections whose client already got a response; what it still sends is broken again. */
const refused = new WeakSet<Duplex>();

/** Remembers that a request of this connection will be answered. */
export function rememberResponse(res: ServerResponse): void {
  const { socket } = res.req;
  const before = unsent.get(socket)?.filter((response) => !response.writableFinished) ?? [];
  unsent.set(socket, [...before, res]);
}

/**
 * Answers what cannot be read as HTTP or does not arrive in time (the server's `clientError`), and closes the
 * connection. Nothing is said where it could be taken for the response to another request.
 */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  const [status, message] = REFUSALS.get(error.code ?? '') ?? MALFORMED;
  const responses = unsent.get(socket) ?? [];
  // The last one may belong to the broken request itself, whose headers were fine.
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

/** Browsers and balancers open connections that they then do not need. */
function nothingWasSent(socket: Duplex): boolean {
  return socket instanceof Socket && socket.bytesRead === 0;
}

const MALFORMED = [400, 'The request is not valid HTTP.'] as const;
const REFUSALS = new Map<string, readonly [status: number, message: string]>([
  ['HPE_HEADER_OVERFLOW', [431, 'The headers of the request are too large.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The chunk extensions of the request are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);

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
function closeSocket(socket: Duplex, text = ''): void {
  // A client that is gone already is no fault of anyone's.
  socket.on('error', () => undefined);
  socket.end(text);
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** An absolute address: its host, and what follows. No one is named in it. */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?].*)?$/i;

/**
 * Judges a request's target and host (RFC 9112 §3.2); returns a sentence when it is to be answered with `400`. An
 * absolute address is as good as a path, and its host counts instead of the header's: the request is changed so.
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
