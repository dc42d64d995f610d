import { type Dispatcher, errors, request } from 'undici';
import { type AttemptResult, resultOfResponse } from '#server/automation/deliveries/attempt-result.ts';
import { NotSentError } from '#server/automation/deliveries/check-before-sending.ts';
import { CONNECT_TIMEOUT_MS, TOTAL_TIMEOUT_MS } from '#server/automation/deliveries/hook-agent.ts';
import { isPlatformHookUrl } from '#server/automation/hooks/is-platform-hook-url.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';

/** How much of the receiver's response is read, in bytes; it is for the log alone. */
const EXCERPT_MAX_BYTES = 2_000;

/**
 * One attempt of a delivery: one POST as spec.md §6 has it, redirects not followed, its outcome returned as
 * data. Only an address of the platform is ever contacted, also when the setting has changed since the hook was
 * subscribed.
 * @returns null when the dispatcher gave it up before anything was sent (`checkBeforeSending`)
 */
export async function attemptDelivery(
  dispatcher: Dispatcher,
  delivery: { eventId: string; eventKey: EventKey; body: string; targetUrl: string },
  hooksHost: string,
): Promise<AttemptResult | null> {
  if (!isPlatformHookUrl(delivery.targetUrl, hooksHost)) {
    return { kind: 'unreachable', error: `The address is not on ${hooksHost} and was not contacted.` };
  }
  // Not `AbortSignal.timeout`, which can not be cancelled: thousands of them would go off each second, for nothing.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new DOMException('', 'TimeoutError')), TOTAL_TIMEOUT_MS);
  try {
    const response = await request(delivery.targetUrl, {
      dispatcher,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        'User-Agent': 'Service-Integration/1',
        'X-Service-Event': delivery.eventKey,
        'X-Service-Delivery': delivery.eventId,
      },
      body: delivery.body,
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

/** Reads the beginning of a response. What follows is not read, and a body that breaks off does not matter. */
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
    // The status has arrived, and it alone decides.
  }
  const text = Buffer.concat(chunks).subarray(0, EXCERPT_MAX_BYTES).toString('utf8');
  return text.replaceAll('\0', '').toWellFormed();
}

function resultOfError(error: unknown): AttemptResult {
  const name = error instanceof Error ? error.name : '';
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
