import { describe, expect } from 'vitest';
import { watchFailingEndpoints } from '#server/automation/deliveries/pause-endpoint.ts';
import { findEndpoint, updateEndpoint } from '#server/automation/webhooks/endpoints.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { until } from '#test/fixtures/until.ts';
import { test } from '#test/fixtures/webhook-test.ts';

describe('an endpoint that fails', () => {
  test('is not paused for lack of events, but warned about and paused after days of failures, with one email each', async ({
    makeWebhook,
    where,
    note,
    receiver,
  }) => {
    receiver.respond(() => ({ status: 500 }));
    const { endpoint } = await makeWebhook();
    await note();
    await until('it is exhausted', async () => (await outcomeOf(endpoint.id)) === 'exhausted');
    const failed = async (days: number, until = 0) => {
      const at = (ago: number) => new Date(Date.now() - ago * 86_400_000);
      const data = { failingSince: at(days), lastFailedAt: at(until) };
      await db().webhookEndpoint.update({ where: { id: endpoint.id }, data });
      await watchFailingEndpoints();
      await watchFailingEndpoints();
      const [state, sent] = [
        (await findEndpoint(db(), { ...where, id: endpoint.id }))?.state,
        await db().notification.findMany({
          where: { workspaceId: where.workspaceId, kind: { startsWith: 'webhook' } },
        }),
      ];
      return [state, sent.map(({ kind }) => kind).sort()];
    };
    expect(await failed(30, 29)).toEqual(['enabled', []]);
    expect(await failed(2)).toEqual(['enabled', ['webhook_failing']]);
    expect(await failed(4.9)).toEqual(['enabled', ['webhook_failing']]);
    expect(await failed(5)).toEqual(['failing', ['webhook_failing', 'webhook_paused']]);
    receiver.respond(() => ({ status: 200 }));
    await inTransaction((tx) => updateEndpoint(tx, { ...where, id: endpoint.id, enabled: true }));
    expect(await findEndpoint(db(), { ...where, id: endpoint.id })).toMatchObject({
      state: 'enabled',
      failingSince: null,
    });
  });

  test('counts from the first failure, and a delivered event ends the count', async ({
    makeWebhook,
    note,
    receiver,
  }) => {
    receiver.respond(() => 'break off');
    const { endpoint } = await makeWebhook();
    const failing = async () =>
      (await db().webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } })).failingSince;
    await note('one');
    await until('it fails', async () => (await failing()) !== null);
    const since = await failing();
    await note('two');
    await until('both are exhausted', async () => (await exhausted(endpoint.id)) === 2);
    expect(await failing()).toEqual(since);
    receiver.respond(() => ({ status: 200 }));
    await note('three');
    await until('it recovers', async () => (await failing()) === null);
    const { consecutiveErrors } = await db().hook.findUniqueOrThrow({ where: { id: endpoint.id } });
    expect(consecutiveErrors).toBe(0);
  });

  test('counts anew from a failure after a time without attempts: one error weeks after an outage does not pause it', async ({
    makeWebhook,
    where,
    note,
    receiver,
  }) => {
    receiver.respond(() => ({ status: 503 }));
    const { endpoint } = await makeWebhook();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
    const outage = { failingSince: daysAgo(30), lastFailedAt: daysAgo(27), warnedAt: daysAgo(28) };
    await db().webhookEndpoint.update({ where: { id: endpoint.id }, data: outage });
    await note();
    await until('it is exhausted', async () => (await outcomeOf(endpoint.id)) === 'exhausted');
    await watchFailingEndpoints();
    await watchFailingEndpoints();
    expect(await findEndpoint(db(), { ...where, id: endpoint.id })).toMatchObject({ state: 'enabled' });
    const { failingSince, warnedAt } = await db().webhookEndpoint.findUniqueOrThrow({
      where: { id: endpoint.id },
    });
    expect(Number(failingSince)).toBeGreaterThan(Number(outage.lastFailedAt));
    expect(warnedAt).toBeNull();
  });

  test('is paused immediately when it says that it is gone', async ({
    makeWebhook,
    where,
    note,
    receiver,
  }) => {
    receiver.respond(() => ({ status: 410 }));
    const { endpoint } = await makeWebhook();
    await note();
    await until(
      'it is paused',
      async () => (await findEndpoint(db(), { ...where, id: endpoint.id }))?.state === 'gone',
    );
    expect(receiver.received).toHaveLength(1);
    expect(
      await db().notification.findFirstOrThrow({
        where: { kind: 'webhook_paused', workspaceId: where.workspaceId },
      }),
    ).toMatchObject({ data: { reason: 'gone', url: endpoint.url } });
  });
});

const exhausted = (hookId: string) => db().delivery.count({ where: { hookId, outcome: 'exhausted' } });
const outcomeOf = async (hookId: string) => (await db().delivery.findFirst({ where: { hookId } }))?.outcome;
