import type { IncomingMessage } from 'node:http';
import { readBytes } from '#server/http/request/read-body.ts';

/** More than the longest form of OAuth could need, in bytes. */
const FORM_MAX_BYTES = 64_000;
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

/** Reads a form-encoded body; a body that is anything else, or too long, is an empty form (decisions: OAuth, 7). */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(req.headers['content-type'] ?? '')) return new URLSearchParams();
  const bytes = await readBytes(req, FORM_MAX_BYTES);
  return new URLSearchParams(bytes?.toString('utf8'));
}
