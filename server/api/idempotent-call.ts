import { createHash } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { type ErrorResponse, errorResponse, invalidResponse } from '#server/api/error-response.ts';
import {
  claimKey,
  finishKey,
  type KeyClaim,
  releaseKey,
  responsePart,
  type StoredResponse,
} from '#server/api/idempotency-keys.ts';
import type { Caller } from '#server/automation/connections/find-caller.ts';
import { type Planned, writeParts } from '#server/core/database/planned.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { API_PATH } from '#server/core/env.ts';
import { notFound } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { conversationExists } from '#server/inbox/conversations/conversation-record.ts';
import { findReply } from '#server/inbox/messages/send-reply.ts';

/** Name of the header, as messages show it. */
export const KEY_HEADER = 'Idempotency-Key';

/** Maximum length of a key, in characters (docs/rulings.md 2.10). */
export const KEY_MAX_LENGTH = 255;

/** 1 to 255 visible ASCII characters. */
export const KEY_PATTERN = `^[!-~]{1,${KEY_MAX_LENGTH}}$`;
const KEY = new RegExp(KEY_PATTERN);

const REPLAYED = { 'Idempotent-Replayed': 'true' };

export type JsonResponse = { status: number; json: string; headers?: Record<string, string> };

/** Returns the `400` for a malformed key, or undefined for a valid one. */
export function refuseKey(key: string): ErrorResponse | undefined {
  if (KEY.test(key)) return undefined;
  const message = `The ${KEY_HEADER} header must have 1 to ${KEY_MAX_LENGTH} visible ASCII characters.`;
  return { status: 400, body: { message } };
}

/**
 * Decides and writes the change of a procedure in one transaction. Under an `Idempotency-Key` the same statement stores the
 * response, so that both are committed or neither.
 */
export type WriteChange = <T>(plan: (tx: SqlDb) => Promise<Planned<T> & Answer>) => Promise<T>;

type Answer = {
  /** The body of the response, if it is not the result. */
  response?: unknown;
  /** False when more follows after the commit, for example the sending of a reply. */
  isFinal?: boolean;
};

/** A later request holds the key of this one, whose lease has expired. Its change is rolled back. */
class KeyLost extends Error {}

/** A call with a valid `Idempotency-Key`. */
type IdempotentCall = {
  caller: Caller;
  key: string;
  method: string;
  path: string;
  body: Buffer;
  successStatus: number;
};

/**
 * Runs a call once for its key, however often it is sent (docs/rulings.md 2.10).
 * @param call returns the output of the procedure, which writes its change with `write`
 */
export async function callOnce(
  given: IdempotentCall,
  call: (write: WriteChange) => Promise<unknown>,
): Promise<JsonResponse | ErrorResponse> {
  const { caller, key, successStatus } = given;
  const claimed = await claimKey({ connectionId: caller.connectionId, key, requestHash: hashOf(given) });
  switch (claimed.kind) {
    case 'claimed':
      return runOnce({ claim: claimed.claim, successStatus }, call);
    case 'stored':
      return (await refuseGone(given, claimed.response)) ?? { ...claimed.response, headers: REPLAYED };
    case 'unfinished':
      return (await refuseGone(given, claimed.response)) ?? resume(caller, claimed.response);
    case 'in_progress':
      return inProgress();
    case 'mismatch':
      return invalidResponse({
        [KEY_HEADER]: [
          `This ${KEY_HEADER} was already used with another path or body. Use a new key for a new request.`,
        ],
      });
  }
}

/** Hashes the parts of a request that must be the same when its key is sent again. */
function hashOf({ method, path, body }: IdempotentCall): Buffer {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest();
}

/** Refuses a replay whose conversation was deleted or marked as spam since, so nothing of it is returned (docs/rulings.md 3.34). */
async function refuseGone(
  { caller, path }: IdempotentCall,
  { status, json }: StoredResponse,
): Promise<ErrorResponse | undefined> {
  const [, resource, named] = path.slice(API_PATH.length).split('/');
  if (resource !== 'conversations' || status >= 400) return undefined;
  const id = named ?? (JSON.parse(json) as { id: string }).id;
  if (await conversationExists({ workspaceId: caller.workspace.id, id })) return undefined;
  if (named !== undefined) return errorResponse(notFound('The conversation'));
  return invalidResponse({ [KEY_HEADER]: ['The conversation that this request started was deleted since.'] });
}

async function runOnce(
  given: { claim: KeyClaim; successStatus: number },
  call: (write: WriteChange) => Promise<unknown>,
): Promise<JsonResponse | ErrorResponse> {
  const { claim, successStatus } = given;
  let stored: StoredResponse | undefined;
  const write: WriteChange = async (plan) => {
    const written = await sqlTransaction(async (tx) => {
      const { isFinal = true, ...planned } = await plan(tx);
      const response = { status: successStatus, json: JSON.stringify(planned.response ?? planned.result) };
      const parts = { ...planned.parts, stored: responsePart(claim, response, isFinal) };
      const counts = await writeParts(tx, {
        ...planned,
        parts,
        counted: [...(planned.counted ?? []), 'stored'],
      });
      if (counts.stored === 0) throw new KeyLost();
      return { result: planned.result, final: isFinal ? response : undefined };
    });
    stored = written.final;
    return written.result;
  };
  try {
    const output = await call(write);
    // The stored text, so that the first response and its replays have the same bytes.
    if (stored) return stored;
    const response = { status: successStatus, json: JSON.stringify(output) };
    await finishCall(claim, response);
    return response;
  } catch (error) {
    if (error instanceof TRPCError && error.cause instanceof KeyLost) return inProgress();
    const response = errorResponse(error);
    if (response) await finishCall(claim, { status: response.status, json: JSON.stringify(response.body) });
    else await releaseKey(claim).catch(logNotStored(claim));
    if (!response) throw error;
    return response;
  }
}

/** Stores a response. The change is committed already, so a failure here must not turn the response into a `500`. */
async function finishCall(claim: KeyClaim, response: StoredResponse): Promise<void> {
  await finishKey(claim, response).catch(logNotStored(claim));
}

function logNotStored({ connectionId }: KeyClaim) {
  return (error: unknown) => log().error({ err: error, connectionId }, 'api.key_not_stored');
}

/**
 * Returns the response for a request whose process stopped after the commit. Only replies are in this state: they are
 * sent after they are saved. A reply is never sent again (docs/rulings.md 3.9), so its current state is the response.
 */
async function resume(
  { workspace }: Caller,
  { status, json }: StoredResponse,
): Promise<JsonResponse | ErrorResponse> {
  const { id } = JSON.parse(json) as { id: string };
  const reply = await findReply({ workspaceId: workspace.id, id });
  if (reply === 'sending') return inProgress();
  return { status, json: reply ? JSON.stringify(reply) : json, headers: REPLAYED };
}

function inProgress(): ErrorResponse {
  const message = `The first request with this ${KEY_HEADER} is still in progress. Try again in a second.`;
  return { status: 409, body: { message }, headers: { 'Retry-After': '1' } };
}
