import { type Dispatcher, errors, request } from 'undici';
import {
  type AttemptResult,
  type MadeAttempt,
  planNextAttempt,
  planNextSigned,
  resultOfResponse,
} from '#server/automation/deliveries/attempt-result.ts';
import {
  CONNECT_TIMEOUT_MS,
  NotSentError,
  TOTAL_TIMEOUT_MS,
} from '#server/automation/deliveries/hook-agent.ts';
import type { DueDelivery, DueHook } from '#server/automation/deliveries/hook-queue.ts';
import { PrivateAddressError } from '#server/automation/deliveries/public-address.ts';
import { signedRequest } from '#server/automation/deliveries/signed-request.ts';
import { isPlatformHookUrl } from '#server/automation/hooks/is-platform-hook-url.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { type SpanAttributes, traced, traceParent } from '#server/core/tracing/tracing.ts';

/** Maximum bytes to read of the receiver's response, for the log only. */
const EXCERPT_MAX_BYTES = 2_000;

/**
 * Makes one attempt of a delivery and plans the next step. Never rejects.
 * @returns null when nothing was sent (`sendDelivery`)
 */
export function attemptDelivery(
  dispatcher: Dispatcher,
  hook: DueHook,
  delivery: DueDelivery,
): Promise<MadeAttempt | null> {
  const attributes = {
    'http.request.method': 'POST',
    'inbox.delivery.id': delivery.id,
    'inbox.event.id': delivery.eventId,
    'inbox.attempt': delivery.attempts + 1,
  };
  return traced('deliver', { kind: 'client', parent: delivery.traceParent, attributes }, async (span) => {
    const attempt = await makeAttempt(dispatcher, hook, delivery);
    if (attempt) span?.set(describeResult(attempt.result));
    return attempt;
  });
}

function describeResult(result: AttemptResult): SpanAttributes {
  const status = 'response' in result ? { 'http.response.status_code': result.response.statusCode } : {};
  return { ...status, 'inbox.outcome': result.kind };
}

async function makeAttempt(
  dispatcher: Dispatcher,
  hook: DueHook,
  delivery: DueDelivery,
): Promise<MadeAttempt | null> {
  const { HOOKS_HOST, DELIVERY_RETRY_DELAYS, WEBHOOK_RETRY_DELAYS } = settings();
  const { event, endpoint, targetUrl, hookId, workspaceId } = hook;
  const { id, eventId, body, attempts, earlierAttempts } = delivery;
  const startedAt = new Date();
  const start = performance.now();
  const signed = endpoint ? trySigning({ ...hook, endpoint }, delivery, startedAt) : null;
  const eventKey = signed?.type ?? event;
  const result = endpoint
    ? await (signed ? post(dispatcher, targetUrl, withTrace(signed)) : UNSIGNED)
    : await sendDelivery(dispatcher, { eventId, eventKey, body, targetUrl }, HOOKS_HOST);
  if (!result) return null;
  const number = attempts + 1;
  const attempt = number - earlierAttempts;
  return {
    delivery: { id, eventId, eventKey, isForEndpoint: endpoint !== null, hookId, workspaceId },
    number,
    startedAt,
    durationMs: Math.round(performance.now() - start),
    result,
    next: endpoint
      ? planNextSigned(result, attempt, WEBHOOK_RETRY_DELAYS)
      : planNextAttempt(result, attempt, DELIVERY_RETRY_DELAYS),
  };
}

/** Adds the trace to the request of an endpoint. Requests of the platform's hooks have only the headers of the contract. */
function withTrace({ headers, body }: { headers: Record<string, string>; body: string }) {
  const traceparent = traceParent();
  return { headers: traceparent === undefined ? headers : { ...headers, traceparent }, body };
}

const UNSIGNED = {
  kind: 'unreachable',
  error:
    'The signing secret could not be read, so nothing was sent: the operator must add its key to SECRETS_KEY.',
} as const;

/** Returns the signed request, or null when the secret was sealed with a key that this process does not have. */
function trySigning(
  hook: Parameters<typeof signedRequest>[0],
  delivery: DueDelivery,
  at: Date,
): ReturnType<typeof signedRequest> | null {
  try {
    return signedRequest(hook, delivery, at);
  } catch (error) {
    log().error({ err: error, hookId: hook.hookId }, 'delivery.not_signed');
    return null;
  }
}

/**
 * Sends one POST in the format of docs/spec.md §6, without following redirects. Contacts only addresses of
 * the platform, even if the setting has changed since the hook was subscribed.
 * @returns the outcome; null when nothing was sent, as the lease may have been lost in the meantime
 *     (`checkBeforeSending`)
 */
export async function sendDelivery(
  dispatcher: Dispatcher,
  delivery: { eventId: string; eventKey: string; body: string; targetUrl: string },
  hooksHost: string,
): Promise<AttemptResult | null> {
  if (!isPlatformHookUrl(delivery.targetUrl, hooksHost)) {
    return { kind: 'unreachable', error: `The address is not on ${hooksHost} and was not contacted.` };
  }
  return post(dispatcher, delivery.targetUrl, {
    headers: {
      'User-Agent': 'Service-Integration/1',
      'X-Service-Event': delivery.eventKey,
      'X-Service-Delivery': delivery.eventId,
    },
    body: delivery.body,
  });
}

async function post(
  dispatcher: Dispatcher,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<AttemptResult | null> {
  // `AbortSignal.timeout` cannot be cancelled: thousands of timers would fire each second for nothing.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException('', 'TimeoutError')), TOTAL_TIMEOUT_MS);
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body,
      signal: deadline.signal,
    });
    const retryAfter = response.headers['retry-after'];
    return resultOfResponse({
      statusCode: response.statusCode,
      excerpt: await readExcerpt(response.body),
      retryAfter: typeof retryAfter === 'string' ? retryAfter.slice(0, 100) : null,
    });
  } catch (error) {
    return error instanceof NotSentError ? null : resultOfError(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads only the start of a response body. Ignores a connection that breaks during the body. */
async function readExcerpt(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      length += bytes.length;
      if (length >= EXCERPT_MAX_BYTES) break;
    }
  } catch {
    // Only the status decides, and it has arrived.
  }
  const text = Buffer.concat(chunks).subarray(0, EXCERPT_MAX_BYTES).toString('utf8');
  return text.replaceAll('\0', '').toWellFormed();
}

function resultOfError(error: unknown): AttemptResult {
  const name = error instanceof Error ? error.name : '';
  if (error instanceof PrivateAddressError) return { kind: 'unreachable', error: error.message };
  if (error instanceof errors.ConnectTimeoutError) {
    return { kind: 'timed_out', error: `No connection within ${CONNECT_TIMEOUT_MS / 1000} seconds.` };
  }
  if (name === 'TimeoutError' || error instanceof errors.HeadersTimeoutError) {
    return { kind: 'timed_out', error: `No response within ${TOTAL_TIMEOUT_MS / 1000} seconds.` };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : name;
  const message = error instanceof Error ? error.message : String(error);
  return { kind: 'unreachable', error: `${code}: ${message}`.slice(0, 500) };
}
