import type { Platform } from '../platform.ts';
import { type Answer, succeeded } from '../service/answer.ts';
import { callService } from '../service/call-service.ts';
import type { Connection, Subscription } from '../state.ts';

/** Turns a trigger off with `DELETE /hooks/{id}`. Its address answers 410 from then on. */
export async function unsubscribe(
  platform: Platform,
  connection: Connection,
  subscription: Subscription,
): Promise<Answer> {
  const answer = await callService(platform, connection, {
    method: 'DELETE',
    path: `/hooks/${encodeURIComponent(subscription.hookId ?? '')}`,
  });
  if (succeeded(answer)) subscription.state = 'off';
  return answer;
}
