import { warmUp } from '#server/doors/http/warm-up.ts';
import { keepConnections } from '#server/ground/keep-connections.ts';
import { openLimiterStore } from '#server/ground/limits/limiter-store.ts';

/** What a server does before it listens, so that the first requests after a start are answered like all others. Never throws. */
export async function getReady(): Promise<void> {
  await Promise.all([openLimiterStore(), keepConnections()]);
  await warmUp();
}
