import type { TriggerKey } from '../catalogue/triggers.ts';
import type { PlatformState, Subscription } from '../state.ts';

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
