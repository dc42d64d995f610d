import { randomUUID } from 'node:crypto';
import { parseJson } from '../../http/bodies.ts';
import type { Platform } from '../platform.ts';
import { rememberRecords } from '../service/remember-records.ts';
import type { Attempt, ReceivedEvent, Subscription } from '../state.ts';

const EVENTS_MAX = 2_000;

/** A request to a hook. Header names are lowercase. */
export type HookRequest = { headers: Record<string, string>; rawBody: string };

/**
 * Records a request to a subscription. `X-Service-Delivery` identifies the event: a repeat adds an attempt to the known
 * event, and sets `bodyChanged` when its bytes differ.
 */
export function recordAttempt(
  platform: Platform,
  subscription: Subscription,
  request: HookRequest,
  answered: Attempt['answered'],
): ReceivedEvent {
  const { state } = platform;
  const attempt: Attempt = { at: new Date(), answered };
  const deliveryId = request.headers['x-service-delivery'] ?? null;
  subscription.requestCount += 1;
  const known = state.events.find(
    (event) =>
      deliveryId !== null && event.deliveryId === deliveryId && event.subscriptionKey === subscription.key,
  );
  if (known) {
    known.attempts.push(attempt);
    known.bodyChanged ||= known.rawBody !== request.rawBody;
    return known;
  }
  const event: ReceivedEvent = {
    id: randomUUID(),
    subscriptionKey: subscription.key,
    connectionId: subscription.connectionId,
    trigger: subscription.trigger,
    deliveryId,
    headers: request.headers,
    body: parseJson(request.rawBody),
    rawBody: request.rawBody,
    bodyChanged: false,
    attempts: [attempt],
  };
  state.events.unshift(event);
  state.events.length = Math.min(state.events.length, EVENTS_MAX);
  const connection = state.connections.get(subscription.connectionId);
  if (connection) rememberRecords(connection, event.body);
  return event;
}
