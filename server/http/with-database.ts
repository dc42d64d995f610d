import { databaseResponds } from '#server/core/metrics/metrics-pool.ts';
import type { Health } from '#server/http/metrics-server.ts';

/** How a process is that is of no use without its database: also whether that answers, within two seconds. */
export async function withDatabase(health: Health): Promise<Health> {
  const responds = await databaseResponds();
  return { ...health, ok: health.ok && responds, database: responds ? 'answers' : 'silent' };
}
