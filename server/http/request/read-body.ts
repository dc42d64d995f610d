import type { IncomingMessage } from 'node:http';
import { addressKey } from '#server/core/limits/address-key.ts';
import { holdBodyBytes, waitForBodyRate } from '#server/http/request/body-limits.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';

/**
 * Reads a body up to `maxBytes`; undefined when it is longer. The rest is then discarded, because a
 * connection that is closed while the client writes often costs the client the response. Never settles for an
 * aborted request: no one waits for a response, and half a body must not be processed.
 * @throws RequestProblem when the body is too slow, or the process holds too many other bodies
 */
export async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(req.headers['content-length']) > maxBytes) return undefined;
  // Aborted before it was read: no event follows.
  if (req.destroyed) return new Promise(() => {});
  const releases: (() => void)[] = [];
  const release = () => {
    for (const each of releases.splice(0)) each();
  };
  return new Promise<Buffer | undefined>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (done: () => void) => {
      stopWatching();
      req.off('data', take);
      if (!req.complete) void discardBody(req);
      chunks.length = 0;
      release();
      done();
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxBytes) return settle(() => resolve(undefined));
      try {
        releases.push(holdBodyBytes(chunk.length));
        chunks.push(chunk);
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const stopWatching = watchBodySpeed(req, (problem) => settle(() => reject(problem)));
    req.on('data', take);
    req.on('end', () => {
      const body = Buffer.concat(chunks);
      settle(() => resolve(body));
    });
    req.on('close', () => settle(() => undefined));
  });
}

export const BODY_MAX_BYTES = 1_000_000;

type JsonBody =
  | { kind: 'object'; value: Record<string, unknown>; bytes: Buffer }
  | { kind: 'malformed'; message: string }
  | { kind: 'too_large' };

/**
 * Parses a request's body as a JSON object, whatever its `Content-Type` (the API only has JSON). An empty
 * body is an empty object. Nothing of a body over 1 MB is stored.
 */
export async function readJsonBody(req: IncomingMessage): Promise<JsonBody> {
  const bytes = await readBytes(req, BODY_MAX_BYTES);
  if (!bytes) return { kind: 'too_large' };
  if (bytes.length === 0) return { kind: 'object', value: {}, bytes };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { kind: 'object', value, bytes };
    return { kind: 'malformed', message: 'The body must be a JSON object.' };
  } catch {
    return { kind: 'malformed', message: 'The body must be valid JSON in UTF-8.' };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Larger than any OAuth form. */
export const FORM_MAX_BYTES = 64_000;
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

/** Reads a form-encoded body. A body of another type, or a longer one, is an empty form (docs/rulings.md 4.7). */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(req.headers['content-type'] ?? '')) return new URLSearchParams();
  const bytes = await readBytes(req, FORM_MAX_BYTES);
  return new URLSearchParams(bytes?.toString('utf8'));
}

/** Refused bodies of an address whose rest is discarded at the same time, per process. */
const DISCARDS_MAX = 10;
const discards = new Map<string, number>();

/**
 * Discards the rest of a body at the rate of its IP address. A connection that is closed while the client
 * writes often costs the client the response. Discarded without a limit, a refused body would cost more than
 * an accepted one.
 * @returns whether it was discarded; not if too many others of the address are
 */
export async function discardBody(req: IncomingMessage): Promise<boolean> {
  const address = clientAddress(req);
  const key = addressKey(address);
  const underWay = discards.get(key) ?? 0;
  if (underWay >= DISCARDS_MAX) return false;
  discards.set(key, underWay + 1);
  // Node ends a request when its connection closes, but not one that has its response already.
  const end = () => req.destroy();
  if (req.socket.destroyed) end();
  else req.socket.once('close', end);
  try {
    for await (const piece of req) await waitForBodyRate(address, piece.length);
  } catch {
    // Aborted by the client or the server: nothing is waiting for this body.
  } finally {
    req.socket.off('close', end);
    const rest = (discards.get(key) ?? 1) - 1;
    if (rest === 0) discards.delete(key);
    else discards.set(key, rest);
  }
  return true;
}

/** Minimum speed of a body: an average in bytes per second after a grace period. */
const BODY_SPEED = { graceMs: 10_000, bytesPerSecond: 8 * 1024 } as const;

const CHECK_MS = 1_000;

/**
 * Calls `giveUp` with a `408` when a body is slower than `BODY_SPEED`. Time in which the server itself reads
 * nothing does not count.
 * @returns stops the watch; to be called when the body is complete
 */
export function watchBodySpeed(
  req: IncomingMessage,
  giveUp: (problem: RequestProblem) => void,
  isReading = () => !req.isPaused(),
): () => void {
  const before = req.socket.bytesRead;
  let waitedMs = 0;
  const timer = setInterval(() => {
    if (isReading()) waitedMs += CHECK_MS;
    const earnedMs = ((req.socket.bytesRead - before) / BODY_SPEED.bytesPerSecond) * 1_000;
    if (waitedMs < BODY_SPEED.graceMs + earnedMs) return;
    clearInterval(timer);
    giveUp(new RequestProblem(408, 'The request came too slowly. Check your connection and send it again.'));
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
