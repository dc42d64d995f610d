import { describe, expect, test } from 'vitest';
import { db } from '#server/db.ts';
import { type ClaimedDelivery, claimDelivery } from '#server/deliveries/claim-delivery.ts';
import { settings } from '#server/env.ts';
import { answered, claimAttempt, claimedDelivery, record } from '#test/attempts.ts';
import { makeDeliveries, makeHook } from '#test/deliveries.ts';
import { makeConnection } from '#test/factories.ts';
import { AT_REST, hookCounts } from '#test/hook-counts.ts';
import { forgetJobs, queuedJobs } from '#test/queued-jobs.ts';
import { withTestService } from '#test/with-service.ts';

withTestService();

const hookNow = (id: string) => db().hook.findUniqueOrThrow({ where: { id } });
const setErrors = (id: string, consecutiveErrors: number) =>
  db().hook.update({ where: { id }, data: { consecutiveErrors, failingSince: new Date() } });

describe('the result of an attempt counts once', () => {
  test.each([
    ['delivered', answered(200)],
    ['tried again', answered(500)],
    ['dropped', answered(404)],
    ['removing its hook', answered(410)],
  ])('when two workers bring it at once: %s', async (_what, result) => {
    await forgetJobs();
    const hook = await makeHook(await makeConnection());
    const delivery = await claimedDelivery(hook);
    const both = await Promise.all([record(delivery, 1, result), record(delivery, 1, result)]);
    expect(both.filter(({ recorded }) => recorded).length).toBe(1);
    expect(await db().attempt.count({ where: { deliveryId: delivery.id } })).toBe(1);
    expect(await hookCounts(hook.id)).toEqual(AT_REST);
    const retries = (await queuedJobs()).filter(({ task }) => task === 'deliver');
    expect(retries.length).toBe(result.kind === 'failed' ? 1 : 0);
  });

  test('when it comes late, after another worker went on', async () => {
    const delivery = await claimedDelivery(await makeHook(await makeConnection()));
    await record(delivery, 1, answered(500));
    expect(await record(delivery, 1, answered(200))).toEqual({ recorded: false, othersWait: false });
    expect(await db().delivery.findUnique({ where: { id: delivery.id } })).toMatchObject({
      attempts: 1,
      outcome: null,
      stage: 'queued',
    });
  });

  test('and fifty failing at once count fifty times and remove the hook once', async () => {
    const hook = await makeHook(await makeConnection());
    Object.assign(settings(), { HOOK_MAX_IN_FLIGHT: 50 });
    const deliveries: ClaimedDelivery[] = [];
    for (let n = 0; n < 50; n += 1) deliveries.push(await claimedDelivery(hook));
    Object.assign(settings(), { HOOK_MAX_IN_FLIGHT: 10 });
    await Promise.all(deliveries.map((delivery) => record(delivery, 1, answered(400))));
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 50, removalReason: 'failing' });
  });
});

describe('an error counts', () => {
  test('against the hook once for the delivery, since when it is kept, and a success ends both', async () => {
    const hook = await makeHook(await makeConnection());
    await record(await claimedDelivery(hook), 1, answered(400));
    const { consecutiveErrors, failingSince } = await hookNow(hook.id);
    expect({ consecutiveErrors, isKnown: failingSince !== null }).toEqual({
      consecutiveErrors: 1,
      isKnown: true,
    });
    await record(await claimedDelivery(hook), 1, answered(400));
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 2, failingSince });
    await record(await claimedDelivery(hook), 1, answered(200));
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 0, failingSince: null });
  });

  test('when the last attempt was not answered but an earlier one was, with an error', async () => {
    const hook = await makeHook(await makeConnection());
    await record(await claimedDelivery(hook, { attempts: 4, hadErrorStatus: true }), 5, {
      kind: 'timed_out',
      error: 'No answer.',
    });
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 1 });
  });

  test('not when nobody ever answered', async () => {
    const hook = await makeHook(await makeConnection());
    await setErrors(hook.id, 7);
    await record(await claimedDelivery(hook, { attempts: 4 }), 5, {
      kind: 'unreachable',
      error: 'ECONNREFUSED',
    });
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 7 });
  });

  test('not while the delivery is tried again', async () => {
    const hook = await makeHook(await makeConnection());
    await record(await claimedDelivery(hook), 1, answered(500));
    expect(await hookNow(hook.id)).toMatchObject({ consecutiveErrors: 0 });
  });
});

describe('a hook keeps', () => {
  test('when it was throttled', async () => {
    const hook = await makeHook(await makeConnection());
    await record(await claimedDelivery(hook), 1, answered(429));
    expect((await hookNow(hook.id)).throttledAt).not.toBeNull();
  });

  test('when it ran out of time, until it answers again, whatever it answers', async () => {
    const hook = await makeHook(await makeConnection());
    await record(await claimedDelivery(hook), 1, { kind: 'timed_out', error: 'No answer.' });
    expect((await hookNow(hook.id)).timedOutAt).not.toBeNull();
    await record(await claimedDelivery(hook), 1, { kind: 'unreachable', error: 'ECONNREFUSED' });
    expect((await hookNow(hook.id)).timedOutAt).not.toBeNull();
    await record(await claimedDelivery(hook), 1, answered(500));
    expect((await hookNow(hook.id)).timedOutAt).toBeNull();
  });
});

describe('a job', () => {
  test('whose pool was declared dead starts nothing', async () => {
    const hook = await makeHook(await makeConnection());
    await makeDeliveries(hook, 1);
    const delivery = await claimedDelivery(hook);
    const due = { deliveryId: delivery.id, attempt: 1, handedOn: false, poolId: 'a dead pool' };
    await expect(claimDelivery(due)).rejects.toThrow(/lost its lease/);
  });

  test('that runs again after a crash goes on with the slot it had', async () => {
    const hook = await makeHook(await makeConnection());
    const delivery = await claimedDelivery(hook);
    expect(await claimAttempt(delivery.id, 1)).toMatchObject({ kind: 'claimed' });
    expect(await hookCounts(hook.id)).toMatchObject({ inFlight: 1, staged: 1 });
  });

  test('that runs again after its delivery was handed on to another job leaves it to that one', async () => {
    const hook = await makeHook(await makeConnection());
    const delivery = await claimedDelivery(hook);
    await db().delivery.update({ where: { id: delivery.id }, data: { stage: 'handed_on' } });
    expect(await claimAttempt(delivery.id, 1)).toEqual({ kind: 'waits_or_ended' });
    expect(await claimAttempt(delivery.id, 1, true)).toMatchObject({ kind: 'claimed' });
  });

  test('that comes twice at once takes one slot', async () => {
    const hook = await makeHook(await makeConnection());
    const delivery = await claimedDelivery(hook);
    await db().$transaction([
      db().delivery.update({ where: { id: delivery.id }, data: { stage: 'queued' } }),
      db().hook.update({ where: { id: hook.id }, data: { inFlight: 0 } }),
    ]);
    await Promise.all([
      claimAttempt(delivery.id, 1),
      claimAttempt(delivery.id, 1),
      claimAttempt(delivery.id, 1),
    ]);
    expect(await hookCounts(hook.id)).toEqual({ inFlight: 1, waiting: 0, staged: 1, staying: 0 });
  });
});
