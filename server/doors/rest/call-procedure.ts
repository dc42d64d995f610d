import { IncomingMessage, ServerResponse } from 'node:http';
import { createOpenApiNodeHttpHandler } from 'trpc-openapi';
import type { Caller } from '#server/automation/connections/find-caller.ts';
import { restRouter } from '#server/doors/rest/api-router.ts';

/** What came of a procedure: the JSON of its answer, or what it threw. */
export type CallResult = { kind: 'answered'; json: string } | { kind: 'threw'; error: unknown };

type Call = {
  method: string;
  /** Below `{api_base}`, with a leading slash. */
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
  caller: Caller;
};
type ProcedureRequest = IncomingMessage & Omit<Call, 'method' | 'path'> & { thrown?: unknown };

/** A response that keeps what is written instead of sending it: the adapter writes the real one. */
class KeptResponse extends ServerResponse {
  kept = '';

  override end(chunk?: unknown): this {
    this.kept = String(chunk ?? '');
    return this;
  }
}

const handle = createOpenApiNodeHttpHandler<typeof restRouter, ProcedureRequest, KeptResponse>({
  router: restRouter,
  createContext: ({ req }) => ({ caller: req.caller }),
  onError: ({ error, req }) => {
    req.thrown = error;
  },
});

/**
 * Calls a procedure through trpc-openapi. It gets a request of our making, with body and query already parsed:
 * trpc-openapi reads a body only under the exact header `application/json`, turns repeated parameters into
 * arrays, and writes error codes and raw messages into its answers.
 */
export async function callProcedure(
  socketOwner: IncomingMessage,
  { method, path, ...given }: Call,
): Promise<CallResult> {
  const body = withoutRewriting(given.body);
  const request: ProcedureRequest = Object.assign(new IncomingMessage(socketOwner.socket), {
    ...given,
    body,
  });
  request.method = method;
  request.url = path;
  request.headers = { host: 'localhost', 'content-type': 'application/json' };
  const response = new KeptResponse(request);
  await handle(request, response);
  return 'thrown' in request
    ? { kind: 'threw', error: request.thrown }
    : { kind: 'answered', json: response.kept };
}

/**
 * trpc-openapi writes the whole body out again, for a request of which it uses the signal alone. That costs time,
 * and one that is nested some thousand levels deep would overflow the stack: so it finds nothing to write.
 */
function withoutRewriting(body: Record<string, unknown>): Record<string, unknown> {
  return Object.defineProperty({ ...body }, 'toJSON', { value: () => null, enumerable: false });
}
