import type { IncomingMessage, ServerResponse } from 'node:http';
import { createOpenApiNodeHttpHandler } from 'trpc-openapi';
import { restRouter } from '#server/api/router.ts';
import type { Caller } from '#server/automation/connections/find-caller.ts';

/** What came of a procedure: the JSON of its response, or what it threw. */
export type CallResult = { kind: 'answered'; json: string } | { kind: 'threw'; error: unknown };

/** What trpc-openapi asks of a call: that its body is JSON. */
const HEADERS = new Headers({ 'content-type': 'application/json' });
/** A procedure always runs to its end, even when the client disconnects. */
const NEVER = new AbortController().signal;

type Call = {
  method: string;
  /** Below `{api_base}`, with a leading slash. */
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
  caller: Caller;
};

/**
 * A request as trpc-openapi reads one. To it and to tRPC this is a `Request`, so that they take its signal; else they would make a
 * real one of each call for that alone, and write the body out for it.
 */
class ProcedureRequest {
  readonly method: string;
  readonly url: string;
  readonly query: Record<string, string>;
  readonly body: Record<string, unknown>;
  readonly caller: Caller;
  readonly headers = HEADERS;
  readonly signal = NEVER;
  thrown: { error: unknown } | undefined;

  constructor({ method, path, query, body, caller }: Call) {
    this.method = method;
    this.url = path;
    this.query = query;
    this.body = body;
    this.caller = caller;
  }
}
Object.setPrototypeOf(ProcedureRequest.prototype, Request.prototype);

/** A response that keeps what is written instead of sending it: the adapter writes the real one. */
class KeptResponse {
  kept = '';
  statusCode = 200;

  setHeader(): this {
    return this;
  }

  end(chunk?: unknown): this {
    this.kept = String(chunk ?? '');
    return this;
  }
}

const handle = createOpenApiNodeHttpHandler<
  typeof restRouter,
  IncomingMessage & ProcedureRequest,
  ServerResponse & KeptResponse
>({
  router: restRouter,
  createContext: ({ req }) => ({ caller: req.caller }),
  onError: ({ error, req }) => {
    req.thrown = { error };
  },
});

/**
 * Calls a procedure through trpc-openapi. It gets a request of our making, with body and query already parsed:
 * trpc-openapi reads a body only under the exact header `application/json`, turns repeated parameters into
 * arrays, and writes error codes and raw messages into its responses.
 */
export async function callProcedure(call: Call): Promise<CallResult> {
  const request = new ProcedureRequest(call);
  const response = new KeptResponse();
  await handle(
    request as IncomingMessage & ProcedureRequest,
    response as unknown as ServerResponse & KeptResponse,
  );
  return request.thrown
    ? { kind: 'threw', error: request.thrown.error }
    : { kind: 'answered', json: response.kept };
}
