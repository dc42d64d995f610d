import { describe, expect } from 'vitest';
import type { AttemptedDelivery } from '#server/automation/deliveries/attempt-result.ts';
import { recordAttempts } from '#server/automation/deliveries/record-attempts.ts';
import { db } from '#server/core/database/prisma.ts';
import { answered, attemptedDelivery, made, record } from '#test/fixtures/attempts.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/hook-test.ts';

describe('the result of an attempt counts once', () => {
  test.for([
    ['delivered', answered(200)],
    ['tried again', answered(500)],
    ['dropped', answered(404)],
    ['removing its hook', answered(410)],
  ] as const)('when two workers record it concurrently: %s', async ([_what, result], { hook }) => {
    const delivery = await attemptedDelivery(hook);
    const both = await Promise.all([record(delivery, 1, result), record(delivery, 1, result)]);
    expect(both.filter((recorded) => recorded).length).toBe(1);
    expect(await db().attempt.count({ where: { deliveryId: delivery.id } })).toBe(1);
    expect(await db().delivery.count({ where: { hookId: hook.id, endedAt: null } })).toBe(
      result.kind === 'failed' ? 1 : 0,
    );
  });

  test('when it arrives late, after another worker has continued', async () => {
    const delivery = await attemptedDelivery(await makeHook(await makeConnection()));
    await record(delivery, 1, answered(500));
    expect(await record(delivery, 1, answered(200))).toBe(false);
    expect(await db().delivery.findUnique({ where: { id: delivery.id } })).toMatchObject({
      attempts: 1,
      outcome: null,
    });
  });

  test('and fifty concurrent failures count fifty times and remove the hook once', async ({ hook }) => {
    const deliveries: AttemptedDelivery[] = [];
    for (let n = 0; n < 50; n += 1) deliveries.push(await attemptedDelivery(hook));
    await Promise.all(deliveries.map((delivery) => record(delivery, 1, answered(400))));
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 50, removalReason: 'failing' });
  });
});

describe('an error counts', () => {
  test('once for each delivery, with the time of the first error, and a success resets both', async ({
    hook,
  }) => {
    await record(await attemptedDelivery(hook), 1, answered(400));
    const { consecutiveErrors, failingSince } = await hookNow(hook.id);
    expect({ consecutiveErrors, isKnown: failingSince !== null }).toEqual({
      consecutiveErrors: 1,
      isKnown: true,
    });
    await record(await attemptedDelivery(hook), 1, answered(400));
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 2, failingSince });
    await record(await attemptedDelivery(hook), 1, answered(200));
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 0, failingSince: null });
  });

  test('when the last attempt got no response but an earlier one got an error', async ({ hook }) => {
    await record(await attemptedDelivery(hook, { attempts: 4, hadErrorStatus: true }), 5, {
      kind: 'timed_out',
      error: 'No response.',
    });
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 1 });
  });

  test('not when no attempt got a response', async ({ hook }) => {
    await setErrors(hook.id, 7);
    await record(await attemptedDelivery(hook, { attempts: 4 }), 5, {
      kind: 'unreachable',
      error: 'ECONNREFUSED',
    });
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 7 });
  });

  test('not while the delivery is retried', async ({ hook }) => {
    await record(await attemptedDelivery(hook), 1, answered(500));
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 0 });
  });
});

describe('a hook stores', () => {
  test('the time of a 429', async ({ hook }) => {
    await record(await attemptedDelivery(hook), 1, answered(429));
    expect((await hookNow(hook.id)).throttledAt).not.toBeNull();
  });

  test('the time of a timeout, until any response arrives', async ({ hook }) => {
    await record(await attemptedDelivery(hook), 1, { kind: 'timed_out', error: 'No response.' });
    expect((await hookNow(hook.id)).timedOutAt).not.toBeNull();
    await record(await attemptedDelivery(hook), 1, { kind: 'unreachable', error: 'ECONNREFUSED' });
    expect((await hookNow(hook.id)).timedOutAt).not.toBeNull();
    await record(await attemptedDelivery(hook), 1, answered(500));
    expect((await hookNow(hook.id)).timedOutAt).toBeNull();
  });
});

describe('attempts that are recorded together', () => {
  /** Records one attempt for each status, of new deliveries of a hook, in one statement. */
  const recordAll = async (hook: Awaited<ReturnType<typeof makeHook>>, statuses: number[]) => {
    const attempts = [];
    for (const status of statuses) attempts.push(made(await attemptedDelivery(hook), 1, answered(status)));
    return recordAttempts(attempts);
  };

  test('count as if recorded one after the other', async ({ hook }) => {
    await setErrors(hook.id, 9);
    await recordAll(hook, [400, 404, 200, 400]);
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 1, failingSince: expect.any(Date) });
    await recordAll(hook, [400, 400]);
    expect((await hookNow(hook.id)).consecutiveErrors).toBe(3);
    await recordAll(hook, [400, 200]);
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 0, failingSince: null });
  });

  test('remove the hook at exactly the fiftieth error, and cancel later deliveries', async ({ hook }) => {
    await setErrors(hook.id, 48);
    await recordAll(hook, [400, 400, 500]);
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 50, removalReason: 'failing' });
    expect(await db().delivery.count({ where: { hookId: hook.id, outcome: 'cancelled' } })).toBe(1);
  });

  test('do not remove a hook with a success before its fiftieth consecutive error', async ({ hook }) => {
    await setErrors(hook.id, 48);
    await recordAll(hook, [400, 200, 400, 400]);
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 2, removedAt: null });
  });

  test('of several hooks change each hook, even from two concurrent workers', async ({ connection }) => {
    const hooks: Awaited<ReturnType<typeof makeHook>>[] = [];
    for (let n = 0; n < 8; n += 1) hooks.push(await makeHook(connection));
    const mixed = async () => {
      const attempts = [];
      for (const hook of hooks) attempts.push(made(await attemptedDelivery(hook), 1, answered(400)));
      return attempts;
    };
    const [forwards, backwards] = [await mixed(), (await mixed()).toReversed()];
    const recorded = await Promise.all([recordAttempts(forwards), recordAttempts(backwards)]);
    expect(recorded.flat()).toEqual(Array(16).fill(true));
    for (const { id } of hooks) expect((await hookNow(id)).consecutiveErrors).toBe(2);
  });
});

const hookNow = (id: string) => db().hook.findUniqueOrThrow({ where: { id } });
const setErrors = (id: string, consecutiveErrors: number) =>
  db().hook.update({ where: { id }, data: { consecutiveErrors, failingSince: new Date() } });
