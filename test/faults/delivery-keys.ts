import type { Received } from '#test/servers/receiver.ts';

/** SQL expression of `deliveryKey` for a delivery `d` and its hook `h`. */
export const DELIVERY_KEY = `d.event_id || ' at ' || regexp_replace(h.target_url, '^https://[^/]*', '')`;

/** Identifies a delivery at its receiver: by its event, and by the path of its hook. */
export function deliveryKey(eventId: string, path: string): string {
  return `${eventId} at ${path}`;
}

/** Counts the arrivals of each delivery. */
export function arrivals(received: Received[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, headers } of received) {
    const delivery = deliveryKey(String(headers['x-service-delivery']), path);
    counts.set(delivery, (counts.get(delivery) ?? 0) + 1);
  }
  return counts;
}
