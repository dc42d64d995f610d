import { expect } from 'vitest';
import { db, pool } from '#server/core/database/db.ts';
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

/**
 * How many deliveries of the hooks that these workers drained had arrived without being recorded: those in flight and
 * those whose result was not written yet.
 */
export async function unrecordedOf(poolIds: string[], received: Received[]): Promise<number> {
  const { rows } = await pool().query<{ delivery: string }>(
    `select d.event_id || ' at ' || regexp_replace(h.target_url, '^https://[^/]*', '') as delivery
     from drains k join hooks h on h.id = k.hook_id
     join deliveries d on d.hook_id = h.id and d.attempts = 0 and d.ended_at is null
     where k.drained_by = any ($1)`,
    [poolIds],
  );
  const arrived = arrivals(received);
  return rows.filter(({ delivery }) => arrived.has(delivery)).length;
}

/** Waits until so many deliveries have been made and all have arrived. */
export async function allDelivered(hooks: Hook[], count: number): Promise<void> {
  const hookId = { in: hooks.map(({ id }) => id) };
  await until(
    `${count} deliveries have arrived`,
    async () => (await db().delivery.count({ where: { hookId, outcome: 'delivered' } })) === count,
  );
}

/**
 * That the work on these hooks has ended as if nothing had happened: one attempt for each delivery, nothing left to
 * send or to fan out, and no one drains them.
 */
export async function expectAtRest(hooks: Hook[], deliveries: number): Promise<void> {
  const hookId = { in: hooks.map(({ id }) => id) };
  expect(await db().delivery.count({ where: { hookId } })).toBe(deliveries);
  expect(await db().attempt.count({ where: { delivery: { hookId } } })).toBe(deliveries);
  expect(await db().delivery.count({ where: { hookId, endedAt: null } })).toBe(0);
  expect(await db().eventToFanOut.count()).toBe(0);
  await until('no one drains them', async () => (await db().drain.count({ where: { hookId } })) === 0);
}
