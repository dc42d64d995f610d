import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from 'better-auth/node';
import { readBytes } from '#server/http/request/read-body.ts';
import { headersOf, pathOf } from '#server/http/request/request-parts.ts';
import { hasMethod, sendJson } from '#server/http/response/send-json.ts';
import { AUTH_PATH, auth } from '#server/teammates/auth.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/**
 * The exposed endpoints of Better Auth below `AUTH_PATH`; all other paths are 404. Screens and domain
 * functions call Better Auth within the process. An endpoint that is not exposed needs no guard, and a new
 * version of the library exposes none.
 */
const ALLOWED_PATHS = new Map([
  ['/sign-in/email', 'POST'],
  ['/sign-out', 'POST'],
  ['/get-session', 'GET'],
]);

/** Larger than any sign-in form. */
export const SIGN_IN_BODY_MAX_BYTES = 64_000;

/**
 * Returns the handler of Better Auth's endpoints. Bodies are read here, because Better Auth would read a body
 * of any length before its limits, and write to stderr for every aborted one.
 */
export function authHandler(): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const handle = toNodeHandler(auth());
  return async (req, res) => {
    const method = ALLOWED_PATHS.get(pathOf(req).slice(AUTH_PATH.length));
    if (!method) return sendJson(res, 404, { message: 'There is nothing at this address.' });
    if (!hasMethod(req, res, [method])) return;
    // Better Auth knows nothing of second factors.
    if (method === 'GET' && !(await findSignedIn(headersOf(req)))) return sendJson(res, 200, null);
    const bytes = await readBytes(req, SIGN_IN_BODY_MAX_BYTES);
    if (!bytes) return sendJson(res, 413, { message: 'The body must be at most 64 kB.' });
    await handle(bytes.length > 0 ? Object.assign(req, { body: bytes.toString('utf8') }) : req, res);
  };
}
