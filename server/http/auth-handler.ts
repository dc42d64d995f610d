import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from 'better-auth/node';
import { readBytes } from '#server/http/read-bytes.ts';
import { sendJson } from '#server/http/send-json.ts';
import { auth } from '#server/teammates/auth.ts';

/** More than any form of sign-in needs, in bytes. */
const BODY_MAX_BYTES = 64_000;

/**
 * What answers Better Auth's addresses. Left to itself it would read a body of any length, before it looks at limits,
 * and write to stderr about each that is broken off: so bodies are read here.
 */
export function authHandler(): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const handle = toNodeHandler(auth());
  return async (req, res) => {
    const bytes = await readBytes(req, BODY_MAX_BYTES);
    if (!bytes) return sendJson(res, 413, { message: 'The body must be at most 64 kB.' });
    await handle(bytes.length > 0 ? Object.assign(req, { body: bytes.toString('utf8') }) : req, res);
  };
}
