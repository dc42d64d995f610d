import type { IncomingMessage } from 'node:http';
import { readBytes } from '#server/http/request/read-body.ts';

/** The largest body that is read, in bytes. */
const BODY_MAX_BYTES = 1_000_000;

export type JsonBody =
  | { kind: 'object'; value: Record<string, unknown> }
  | { kind: 'malformed'; message: string }
  | { kind: 'too_large' };

/**
 * Reads the body of a request as a JSON object, whatever its `Content-Type` says: the contract knows JSON alone.
 * An empty body is an empty object. Of one over 1 MB nothing is kept.
 */
export async function readJsonBody(req: IncomingMessage): Promise<JsonBody> {
  const bytes = await readBytes(req, BODY_MAX_BYTES);
  if (!bytes) return { kind: 'too_large' };
  if (bytes.length === 0) return { kind: 'object', value: {} };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { kind: 'object', value };
    return { kind: 'malformed', message: 'The body must be a JSON object.' };
  } catch {
    return { kind: 'malformed', message: 'The body must be valid JSON in UTF-8.' };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
