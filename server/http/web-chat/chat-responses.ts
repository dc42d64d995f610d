import type { IncomingMessage, ServerResponse } from 'node:http';
import { settings } from '#server/core/env.ts';
import { refusalIn } from '#server/core/errors.ts';
import { type LimitName, takeFrom } from '#server/core/limits/limits.ts';
import { sendJson } from '#server/http/response/send-json.ts';

/** Nothing of a chat stays in a cache. */
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Answers a request of the web chat. */
export function respond(
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  sendJson(res, status, body, { ...NO_STORE, ...headers });
}

/** Answers with what the domain refused; anything else is thrown on. A visitor who is gone needs another token. */
export function respondRefusal(res: ServerResponse, error: unknown): void {
  const refusal = refusalIn(error);
  if (!refusal) throw error;
  const { message, errors } = refusal;
  if (refusal.refusal === 'not_found') respondUnknown(res);
  else respond(res, 422, errors ? { message, errors } : { message });
}

/** For whom no visitor is known by the token that came along. */
export function respondUnknown(res: ServerResponse): void {
  const headers = { 'WWW-Authenticate': 'Bearer error="invalid_token"' };
  respond(res, 401, { message: 'This chat has ended. Reload the page to start a new one.' }, headers);
}

/** Whether a browser says that a page of another site sent the request. The chat's own page is ours in any frame. */
export function isFromElsewhere(req: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && origin !== new URL(settings().BASE_URL).origin;
}

/** Takes from a limit; when it is used up that is answered, and false returned. */
export async function isWithin(res: ServerResponse, limit: LimitName, key: string): Promise<boolean> {
  const { allowed, retryAfterSeconds } = await takeFrom(limit, key);
  if (allowed) return true;
  const wait = `${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}`;
  const message = `Too many requests at once. Wait ${wait} and try again.`;
  respond(res, 429, { message }, { 'Retry-After': String(retryAfterSeconds) });
  return false;
}
