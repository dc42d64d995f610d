import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Trigger, TriggerKey } from '../catalogue/triggers.ts';
import type { Platform } from '../platform.ts';
import { callService } from '../service/call-service.ts';
import { type ServiceResponse, succeeded } from '../service/service-response.ts';
import type { Connection, PlatformState, Subscription } from '../state.ts';

const hookRecord = z.object({ id: z.string() });

/**
 * Turns a trigger on: makes an address that only the service will know and subscribes it with `POST /hooks`.
 * The address takes events before the service has answered, for an event may overtake that answer.
 */
export async function subscribe(
  platform: Platform,
  connection: Connection,
  trigger: Trigger,
  filter: string,
): Promise<ServiceResponse> {
  const key = randomBytes(12).toString('hex');
  const subscription: Subscription = {
    key,
    connectionId: connection.id,
    trigger: trigger.key,
    filter: trigger.filter && filter ? filter : null,
    targetUrl: `https://${platform.settings.hooksHost}/hooks/standard/${key}/`,
    state: 'turning_on',
    hookId: null,
    responseMode: '200',
    createdAt: new Date(),
    requestCount: 0,
    lateCount: 0,
  };
  platform.state.subscriptions.set(key, subscription);
  const response = await callService(platform, connection, {
    method: 'POST',
    path: '/hooks',
    body: {
      target_url: subscription.targetUrl,
      event: trigger.key,
      ...(trigger.filter && filter ? { [trigger.filter.name]: filter } : {}),
    },
  });
  const hook = hookRecord.safeParse(succeeded(response) ? response.body : null);
  if (hook.success) {
    subscription.hookId = hook.data.id;
    subscription.state = 'on';
  } else {
    platform.state.subscriptions.delete(key);
  }
  return response;
}

/** Turns a trigger off with `DELETE /hooks/{id}`. Its address answers 410 from then on. */
export async function unsubscribe(
  platform: Platform,
  connection: Connection,
  subscription: Subscription,
): Promise<ServiceResponse> {
  const response = await callService(platform, connection, {
    method: 'DELETE',
    path: `/hooks/${encodeURIComponent(subscription.hookId ?? '')}`,
  });
  if (succeeded(response)) subscription.state = 'off';
  return response;
}

/** The live subscription of a connection to a trigger: there is at most one, as there is one switch. */
export function findSubscription(
  state: PlatformState,
  connectionId: string,
  trigger: TriggerKey,
): Subscription | undefined {
  for (const subscription of state.subscriptions.values()) {
    if (
      subscription.connectionId === connectionId &&
      subscription.trigger === trigger &&
      subscription.state !== 'off'
    ) {
      return subscription;
    }
  }
  return undefined;
}
