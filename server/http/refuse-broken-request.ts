import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { log } from '#server/core/log.ts';
import { closeSocket, respondOnSocket } from '#server/http/respond-on-socket.ts';
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
