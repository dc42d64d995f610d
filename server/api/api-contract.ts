import type { ErrorResponse } from '#server/api/error-response.ts';
import type { Route } from '#server/api/routes.ts';
import type { WriteConditions, Writer } from '#server/api/write-change.ts';
import type { Settings } from '#server/core/env.ts';
import type { LimitName, LimitState } from '#server/core/limits/limits.ts';

/** The caller of a token, or a refusal. `isUnknown`: the token was never issued. */
export type Authentication<Caller> =
  | { kind: 'caller'; caller: Caller }
  | { kind: 'unauthorized'; message: string; isUnknown: boolean }
  /** Authenticated, so rate limits apply, but not allowed to act now. */
  | { kind: 'forbidden'; ownerId: string; message: string };

/** An HTTP API of procedures: all that its handler must know about it. */
export type ApiContract<Caller> = {
  /** Path of the API. An idempotency key compares paths that start with it, whatever address was called. */
  basePath: string;
  /** @param path below the API's path, percent-encoded */
  findRoute: (path: string) => Route | undefined;
  /** Procedures whose body is a form with one file, which is their input `file`. All others have JSON. */
  uploads: ReadonlySet<string>;
  /** Returns the OpenAPI document. */
  document: (settings: Settings) => string;
  authenticate: (token: string) => Promise<Authentication<Caller>>;
  /** Message of `401` without a token. */
  noTokenMessage: string;
  /** Returns why the caller may not call a procedure, if so: the message of a `403`. */
  refuse: (caller: Caller, procedure: string) => string | undefined;
  /** Records that the caller calls, if that is due. */
  touch: (caller: Caller, address: string) => Promise<void>;
  /** Id of the connection or token: owner of its limit and of its idempotency keys. */
  ownerOf: (caller: Caller) => string;
  /** Name of that id in the log. */
  ownerKey: string;
  limit: LimitName;
  /** Headers of every response to an authenticated call. */
  limitHeaders: (state: LimitState) => Record<string, string | number>;
  /** Headers of every response. */
  headers: (requestId: string) => Record<string, string>;
  /** Conditions of every write of a caller. */
  conditions: (caller: Caller) => WriteConditions;
  /** Returns the workspace that the caller acts in. */
  workspaceOf: (caller: Caller) => string;
  call: (
    procedure: string,
    request: { input: Record<string, unknown>; caller: Caller; writer: Writer },
  ) => Promise<unknown>;
};

/** Returns the headers that both APIs send about a limit. */
export function commonLimitHeaders({ limit, remaining }: LimitState): Record<string, number> {
  return { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining };
}

export type ApiResponse = (
  | ErrorResponse
  | { status: number; json: string; headers?: Record<string, string> }
) & {
  /** The connection or token of the call, once known. */
  ownerId?: string;
};
