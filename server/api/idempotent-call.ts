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
import {
  type PlannedAnswer,
  type Transact,
  type WriteChange,
  type WriteConditions,
  type Writer,
  writeUnder,
} from '#server/api/write-change.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { notFound } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { percentDecoded } from '#server/core/text.ts';
import { isShownToPrograms } from '#server/inbox/conversations/list-by-change.ts';
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

/** A later request holds the key of this one, whose lease has expired. Its change is rolled back. */
class KeyLost extends Error {}

/** A call with a valid `Idempotency-Key`. */
type IdempotentCall = {
  /** The connection or API token that calls. */
  ownerId: string;
  workspaceId: string;
  key: string;
  method: string;
  /** Path of the API, and the path below it. */
  basePath: string;
  path: string;
  body: Buffer;
  successStatus: number;
  /** Conditions of the write. */
  conditions: WriteConditions;
};

/**
 * Runs a call once for its key, however often it is sent (docs/rulings.md 2.10).
 * @param call returns the output of the procedure, which writes its change with the writer
 */
export async function callOnce(
  request: IdempotentCall,
  call: (writer: Writer) => Promise<unknown>,
): Promise<JsonResponse | ErrorResponse> {
  const { ownerId, key } = request;
  const claimed = await claimKey({ ownerId, key, requestHash: hashOf(request) });
  switch (claimed.kind) {
    case 'claimed':
      return runOnce(claimed.claim, request, call);
    case 'stored':
      return (await refuseGone(request, claimed.response)) ?? { ...claimed.response, headers: REPLAYED };
    case 'unfinished':
      return (await refuseGone(request, claimed.response)) ?? resume(request, claimed.response);
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
function hashOf({ method, basePath, path, body }: IdempotentCall): Buffer {
  return createHash('sha256').update(`${method} ${basePath}${path}\n`).update(body).digest();
}

/**
 * Refuses a replay whose conversation, or the one that it was merged into, was deleted or marked as spam since, so nothing of it is
 * returned (docs/rulings.md 3.34). The response to a merge has the conversation that remains, also after the merge was undone.
 */
async function refuseGone(
  { workspaceId, path }: IdempotentCall,
  { status, json }: StoredResponse,
): Promise<ErrorResponse | undefined> {
  const [, resource, named, action] = path.split('/').map(percentDecoded);
  if (resource !== 'conversations' || status >= 400) return undefined;
  const returned =
    named === undefined || action === 'merge' ? (JSON.parse(json) as { id: string }).id : undefined;
  const ids = [named, returned].filter((id) => id !== undefined);
  const shown = await Promise.all(ids.map((id) => isShownToPrograms(sql(), { workspaceId, id })));
  if (!shown.includes(false)) return undefined;
  if (named !== undefined) return errorResponse(notFound('The conversation'));
  return invalidResponse({ [KEY_HEADER]: ['The conversation that this request started was deleted since.'] });
}

async function runOnce(
  claim: KeyClaim,
  { successStatus, conditions }: IdempotentCall,
  call: (writer: Writer) => Promise<unknown>,
): Promise<JsonResponse | ErrorResponse> {
  let stored: StoredResponse | undefined;
  const writeStored = async (
    tx: SqlDb,
    { isFinal = true, ...planned }: PlannedAnswer<unknown>,
  ): Promise<StoredResponse | undefined> => {
    const response = { status: successStatus, json: JSON.stringify(planned.response ?? planned.result) };
    const part = responsePart(claim, response, isFinal);
    await writeUnder(tx, planned, { ...conditions, stored: { part, otherwise: () => new KeyLost() } });
    return isFinal ? response : undefined;
  };
  const write: WriteChange = async (plan) => {
    const written = await sqlTransaction(async (tx) => {
      const planned = await plan(tx);
      return { result: planned.result, final: await writeStored(tx, planned) };
    });
    stored = written.final;
    return written.result;
  };
  const transact: Transact = async (change) => {
    const written = await inTransaction(async (tx) => {
      const result = await change(tx);
      return { result, final: await writeStored(tx, { result, parts: {} }) };
    });
    stored = written.final;
    return written.result;
  };
  try {
    const output = await call({ write, transact });
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

function logNotStored({ ownerId }: KeyClaim) {
  return (error: unknown) => log().error({ err: error, ownerId }, 'api.key_not_stored');
}

/**
 * Returns the response for a request whose process stopped after the commit. Only replies are in this state: they are
 * sent after they are saved. A reply is never sent again (docs/rulings.md 3.9), so its current state is the response.
 */
async function resume(
  { workspaceId }: IdempotentCall,
  { status, json }: StoredResponse,
): Promise<JsonResponse | ErrorResponse> {
  const { id } = JSON.parse(json) as { id: string };
  const reply = await findReply({ workspaceId, id });
  if (reply === 'sending') return inProgress();
  return { status, json: reply ? JSON.stringify(reply) : json, headers: REPLAYED };
}

function inProgress(): ErrorResponse {
  const message = `The first request with this ${KEY_HEADER} is still in progress. Try again in a second.`;
  return { status: 409, body: { message }, headers: { 'Retry-After': '1' } };
}
