import { missing, type Reply } from '../../http/reply.ts';
import type { Platform } from '../platform.ts';
import type { Connection } from '../state.ts';

/** Arguments of a route handler: path parameters, query, and parsed body. */
export type Call = {
  platform: Platform;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
};

export type Route = { method: string; path: string; handle: (call: Call) => Promise<Reply> | Reply };

export const unclear: Reply = { status: 400, body: { message: 'The request body is not valid.' } };

/** Wraps a handler that needs an existing connection. */
export function withConnection(
  handle: (call: Call, connection: Connection) => Promise<Reply> | Reply,
): (call: Call) => Promise<Reply> | Reply {
  return (call) => {
    const connection = call.platform.state.connections.get(call.params.connection ?? '');
    return connection ? handle(call, connection) : missing('connection');
  };
}
