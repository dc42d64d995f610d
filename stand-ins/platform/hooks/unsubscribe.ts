import type { Platform } from '../platform.ts';
import { callService } from '../service/call-service.ts';
import { type ServiceResponse, succeeded } from '../service/service-response.ts';
import type { Connection, Subscription } from '../state.ts';

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
