import type { IncomingMessage } from 'node:http';
import { settings } from '#server/core/env.ts';
import { holdBodyBytes, waitForBodyRate } from '#server/http/request/body-limits.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { RequestProblem } from '#server/http/response/request-problem.ts';

/**
 * Reads a body up to `maxBytes`; undefined when there is more. The rest is then taken in and thrown away: a
 * connection closed while a client still writes would often cost it the response. Never settles when the request is
 * broken off: no one waits for a response any more, and half a body must not be acted upon.
 * @throws RequestProblem when it comes too slowly, or the process holds too much of other bodies
 */
export async function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(req.headers['content-length']) > maxBytes) return undefined;
  // Broken off before it was read: no event of it follows.
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
      if (!req.complete) void throwAway(req);
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

/** The largest body that is read, in bytes. */
const BODY_MAX_BYTES = 1_000_000;

type JsonBody =
  | { kind: 'object'; value: Record<string, unknown>; bytes: Buffer }
  | { kind: 'malformed'; message: string }
  | { kind: 'too_large' };

/**
 * Reads the body of a request as a JSON object, whatever its `Content-Type` says: the contract knows JSON alone.
 * An empty body is an empty object. Of one over 1 MB nothing is kept.
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

/** More than the longest form of OAuth could need, in bytes. */
const FORM_MAX_BYTES = 64_000;
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:\s*;|$)/i;

/** Reads a form-encoded body; a body that is anything else, or too long, is an empty form (decisions: OAuth, 7). */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(req.headers['content-type'] ?? '')) return new URLSearchParams();
  const bytes = await readBytes(req, FORM_MAX_BYTES);
  return new URLSearchParams(bytes?.toString('utf8'));
}

/**
 * Takes in what is left of a body that is not needed, at the rate of its address: a connection closed while a client still
 * writes would often cost it the response, and taken in as fast as it comes, a refused body costs more than one that is kept.
 */
export async function throwAway(req: IncomingMessage): Promise<void> {
  const address = clientAddress(req, settings().TRUST_PROXY);
  try {
    for await (const piece of req) await waitForBodyRate(address, piece.length);
  } catch {
    // Broken off by the client, or given up by the server: it is no body that anybody waits for.
  }
}

/** How slowly a body may come: besides the first seconds, so many bytes a second on the whole. */
const BODY_SPEED = { graceMs: 10_000, bytesPerSecond: 8 * 1024 } as const;

const CHECK_MS = 1_000;

/**
 * Calls `giveUp` with a `408` when a body comes more slowly than `BODY_SPEED`. The time in which we ourselves take
 * nothing in does not count.
 * @returns ends the watch; to be called when the body is there
 */
export function watchBodySpeed(req: IncomingMessage, giveUp: (problem: RequestProblem) => void): () => void {
  const before = req.socket.bytesRead;
  let waitedMs = 0;
  const timer = setInterval(() => {
    if (!req.isPaused()) waitedMs += CHECK_MS;
    const earnedMs = ((req.socket.bytesRead - before) / BODY_SPEED.bytesPerSecond) * 1_000;
    if (waitedMs < BODY_SPEED.graceMs + earnedMs) return;
    clearInterval(timer);
    giveUp(new RequestProblem(408, 'The request came too slowly. Check your connection and send it again.'));
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
