import { expect } from 'vitest';
import { db, pool } from '#server/db.ts';
import type { Hook } from '#server/generated/prisma/client.ts';
import { makeDeliveries } from '#test/deliveries.ts';
import { makeConnection } from '#test/factories.ts';
import type { Received } from '#test/receiver.ts';
import { PLATFORM } from '#test/settings.ts';
import { until } from '#test/until.ts';

/** Makes so many hooks, all for the same event, each with a path of its own. */
export async function makeHooks(
  count: number,
  connection?: { id: string; workspaceId: string },
): Promise<Hook[]> {
  const { id: connectionId, workspaceId } = connection ?? (await makeConnection());
  return db().hook.createManyAndReturn({
    data: Array.from({ length: count }, (_, number) => ({
      workspaceId,
      connectionId,
      event: 'conversation.created' as const,
      targetUrl: `https://${PLATFORM.hooksHost}/hook/${number}`,
    })),
  });
}

/** Makes so many events, each of which goes to all of these hooks. */
export async function sendToAll(hooks: Hook[], events: number): Promise<void> {
  const [first] = hooks;
  if (!first) throw new Error('There are no hooks.');
  await makeDeliveries(first, events);
}

/** How often each delivery arrived: which event, at which hook's path. */
export function arrivals(received: Received[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, headers } of received) {
    const delivery = `${headers['x-service-delivery']} at ${path}`;
    counts.set(delivery, (counts.get(delivery) ?? 0) + 1);
  }
  return counts;
}

/** How many deliveries these pools had in flight: with a slot and a job that is locked by one of them. */
export async function inFlightIn(poolIds: string[]): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `select count(*)::int as count from deliveries
     where stage in ('in_flight', 'handed_on') and id::text in (
       select payload->>'deliveryId' from graphile_worker._private_jobs where locked_by = any ($1))`,
    [poolIds],
  );
  return rows[0]?.count ?? 0;
}

/** Waits until so many deliveries have been made and all have arrived. */
export async function allDelivered(hooks: Hook[], count: number, timeoutMs = 60_000): Promise<void> {
  const hookId = { in: hooks.map(({ id }) => id) };
  await until(
    `${count} deliveries have arrived`,
    async () => (await db().delivery.count({ where: { hookId, outcome: 'delivered' } })) === count,
    timeoutMs,
  );
}

/**
 * That the work on these hooks has ended as if nothing had happened: one attempt for each delivery, all slots free,
 * nobody waiting, no job left.
 */
export async function expectAtRest(hooks: Hook[], deliveries: number): Promise<void> {
  const hookId = { in: hooks.map(({ id }) => id) };
  expect(await db().delivery.count({ where: { hookId } })).toBe(deliveries);
  expect(await db().attempt.count({ where: { delivery: { hookId } } })).toBe(deliveries);
  expect(await db().hook.count({ where: { id: hookId, inFlight: 0, waiting: 0 } })).toBe(hooks.length);
  await until('no delivery has a job left', async () => {
    const { rows } = await pool().query<{ left: number }>(
      `select count(*)::int as left from graphile_worker._private_jobs where payload->>'deliveryId' is not null`,
    );
    return rows[0]?.left === 0;
  });
}
