import type { IncomingMessage } from 'node:http';
import { type ErrorResponse, invalidResponse } from '#server/api/error-response.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { readUpload } from '#server/http/files/read-upload.ts';

/** The body of a call: the input of its procedure, and the bytes that an idempotency key compares. */
export type CallBody =
  | { kind: 'object'; value: Record<string, unknown>; bytes: Buffer }
  | { kind: 'refused'; response: ErrorResponse };

const UNREADABLE = 'The body must be a form (multipart/form-data) with one file and nothing else.';

/**
 * Stores the file of a call of an API, with the limits of teammates who add files to a message. Forms differ in their boundaries, so
 * that the key compares name, type and content of the file.
 * @param sender `ownerId`: the token that calls
 */
export async function readFileBody(
  req: IncomingMessage,
  { ownerId, workspaceId, address }: { ownerId: string; workspaceId: string; address: string },
): Promise<CallBody> {
  const { allowed, retryAfterSeconds } = await consumeLimit('upload', ownerId);
  if (!allowed) {
    const headers = { 'Retry-After': String(retryAfterSeconds) };
    return { kind: 'refused', response: { status: 429, body: { message: 'Too Many Attempts.' }, headers } };
  }
  const read = await readUpload(
    req,
    { visitorKey: ownerId, address, workspaceId },
    { unreadable: UNREADABLE },
  );
  if ('status' in read) {
    const { status, message } = read;
    const response = status === 413 ? { status, body: { message } } : invalidResponse({ file: [message] });
    return { kind: 'refused', response };
  }
  const { file, digest } = read;
  const bytes = Buffer.from(JSON.stringify([file.name, file.contentType, digest]));
  return { kind: 'object', value: { file }, bytes };
}
