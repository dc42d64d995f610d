import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Trigger, TriggerKey } from '../catalogue/triggers.ts';
import type { Platform } from '../platform.ts';
import { callService } from '../service/call-service.ts';
import { type ServiceResponse, succeeded } from '../service/service-response.ts';
import type { Connection, PlatformState, Subscription } from '../state.ts';

const hookRecord = z.object({ id: z.string() });

/**
 * Subscribes to a trigger: creates a secret hook address and subscribes it with `POST /hooks`. The address accepts events
 * before the service responds, as an event can arrive before the response.
 */
export async function subscribe(
  platform: Platform,
  connection: Connection,
  trigger: Trigger,
  filter: string,
  workflowId: string | null = null,
): Promise<ServiceResponse> {
  const key = randomBytes(12).toString('hex');
  const subscription: Subscription = {
    key,
    connectionId: connection.id,
    workflowId,
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

/** Ends a subscription with `DELETE /hooks/{id}`. Its address then responds with 410. */
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

/** Returns the active subscription of a trigger that is turned on without a workflow. There is at most one. */
export function findSubscription(
  state: PlatformState,
  connectionId: string,
  trigger: TriggerKey,
): Subscription | undefined {
  for (const subscription of state.subscriptions.values()) {
    if (
      subscription.connectionId === connectionId &&
      subscription.trigger === trigger &&
      subscription.workflowId === null &&
      subscription.state !== 'off'
    ) {
      return subscription;
    }
  }
  return undefined;
}
