import { type Dispatcher, errors, request } from 'undici';
import {
  type AttemptResult,
  planNextAttempt,
  resultOfResponse,
} from '#server/automation/deliveries/attempt-result.ts';
import { countAttempt } from '#server/automation/deliveries/delivery-metrics.ts';
import { publishCommandState } from '#server/automation/deliveries/dispatch/command-notices.ts';
import type { DueDelivery, DueHook } from '#server/automation/deliveries/dispatch/hook-queue.ts';
import { addDue, type RoomCount, type ServedHook } from '#server/automation/deliveries/dispatch/next-step.ts';
import type { Pace } from '#server/automation/deliveries/dispatch/pace.ts';
import type { MadeAttempt } from '#server/automation/deliveries/dispatch/record-attempts.ts';
import {
  CONNECT_TIMEOUT_MS,
  NotSentError,
  TOTAL_TIMEOUT_MS,
} from '#server/automation/deliveries/hook-agent.ts';
import { isPlatformHookUrl } from '#server/automation/hooks/is-platform-hook-url.ts';
import type { EventKey } from '#server/contract/event-catalogue.ts';
import { settings } from '#server/core/env.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';

/** Maximum bytes to read of the receiver's response, for the log only. */
const EXCERPT_MAX_BYTES = 2_000;
/** Pause before a delivery whose attempt could not be recorded is sent again, in ms. */
const UNRECORDED_REST_MS = 60_000;

export type SendingWorker = {
  dispatcher: Dispatcher;
  room: RoomCount;
  pace: Pace;
  /** Resolves with false when another worker was first, and with null when the attempt could not be recorded. */
  record: (attempt: MadeAttempt) => Promise<boolean | null>;
  sharePace: (hookId: string) => Promise<void>;
  /** Called when the attempt has released its room. */
  onRoom: () => void;
  /** Called when the attempt was recorded, or recording failed. */
  onAttempt: () => void;
};

/**
 * Makes one attempt of a delivery: sends it, plans the next step, records and reports the result. Never
 * rejects.
 */
export async function attemptDelivery(
  worker: SendingWorker,
  hook: ServedHook,
  found: DueHook,
  due: DueDelivery,
): Promise<void> {
  const { eventId } = due;
  const { HOOKS_HOST, DELIVERY_RETRY_DELAYS } = settings();
  const { event: eventKey, targetUrl, hookId, workspaceId } = found;
  worker.room.start(hook, eventId);
  const startedAt = new Date();
  const start = performance.now();
  const result = await sendDelivery(
    worker.dispatcher,
    { eventId, eventKey, body: due.body, targetUrl },
    HOOKS_HOST,
  );
  worker.room.end(hook, eventId);
  if (result) noteResult(worker, hook, found, result);
  worker.onRoom();
  if (!result) return leave(hook, eventId, true);
  hook.claim?.wakeUp();

  const number = due.attempts + 1;
  const attempt: MadeAttempt = {
    delivery: { id: due.id, eventId, eventKey, hookId, workspaceId },
    number,
    startedAt,
    durationMs: Math.round(performance.now() - start),
    result,
    next: planNextAttempt(result, number - due.earlierAttempts, DELIVERY_RETRY_DELAYS),
  };
  const recorded = await worker.record(attempt);
  worker.onAttempt();
  if (recorded === null) {
    setTimeout(() => leave(hook, eventId, false), UNRECORDED_REST_MS).unref();
    return;
  }
  reportAttempt(attempt, recorded);
  // A later retry is found by its timestamp.
  leave(hook, eventId, attempt.next.kind === 'retry' && attempt.next.delaySeconds === 0);
  if (recorded && result.kind === 'throttled') await worker.sharePace(hookId);
}

/** Removes an attempt from its hook. `isDue`: the delivery is due again immediately. */
function leave(hook: ServedHook, eventId: string, isDue: boolean): void {
  hook.inFlight.delete(eventId);
  hook.idleSince = performance.now();
  if (isDue) addDue(hook);
  hook.claim?.wakeUp();
}

/** Applies a result to the hook's next attempts: its pace, and its part of the worker. */
function noteResult(
  { pace, room }: SendingWorker,
  hook: ServedHook,
  found: DueHook,
  result: AttemptResult,
): void {
  if (result.kind === 'throttled') pace.throttle(found);
  if (result.kind === 'timed_out') room.setSlow(hook, true);
  else hook.heardAt = performance.now();
  if ('response' in result) room.setSlow(hook, false);
}

/**
 * Sends one POST in the format of docs/spec.md §6, without following redirects. Contacts only addresses of
 * the platform, even if the setting has changed since the hook was subscribed.
 * @returns the outcome; null when nothing was sent, as the lease may have been lost in the meantime
 *     (`checkBeforeSending`)
 */
export async function sendDelivery(
  dispatcher: Dispatcher,
  delivery: { eventId: string; eventKey: EventKey; body: string; targetUrl: string },
  hooksHost: string,
): Promise<AttemptResult | null> {
  if (!isPlatformHookUrl(delivery.targetUrl, hooksHost)) {
    return { kind: 'unreachable', error: `The address is not on ${hooksHost} and was not contacted.` };
  }
  // `AbortSignal.timeout` cannot be cancelled: thousands of timers would fire each second for nothing.
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

/**
 * Reports an attempt to the log (without body and address), the metrics, and the open pages of the workspace.
 */
function reportAttempt({ delivery, number, durationMs, result, next }: MadeAttempt, recorded: boolean): void {
  log().info(
    {
      deliveryId: delivery.id,
      eventId: delivery.eventId,
      event: delivery.eventKey,
      hookId: delivery.hookId,
      workspaceId: delivery.workspaceId,
      attempt: number,
      outcome: result.kind,
      status: 'response' in result ? result.response.statusCode : undefined,
      error: 'error' in result ? result.error : undefined,
      durationMs,
      next: next.kind === 'retry' ? `in ${next.delaySeconds} s` : next.outcome,
      recorded,
    },
    'delivery.attempted',
  );
  countAttempt({ outcome: result.kind, seconds: durationMs / 1_000 });
  publish(delivery.workspaceId, 'deliveries');
  if (delivery.eventKey === 'operator.command') publishCommandState(delivery.workspaceId);
}
