import type { Subscription } from '../state.ts';

/** How many requests a subscription has had, in words. */
export function receivedLine({ requestCount }: Subscription): string {
  if (requestCount === 0) return 'Nothing received yet';
  return requestCount === 1 ? '1 request received' : `${requestCount} requests received`;
}
