import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeSemaphore } from '#server/core/limits/semaphore.ts';

test('a light request waits behind a heavy one, and starts when the heavy one times out', async () => {
  const acquire = makeSemaphore({ max: 10, waitingMax: 2, waitMs: 50 });
  const release = await acquire('a', 6);
  const heavy = acquire('a', 5);
  const light = acquire('a', 4);
  let hasStarted = false;
  void light.then(() => {
    hasStarted = true;
  });
  await turn();
  expect(hasStarted).toBe(false);
  expect(await acquire('a')).toBeUndefined();
  expect(await acquire('b', 10)).toBeTypeOf('function');
  expect(await heavy).toBeUndefined();
  const releaseLight = await light;
  expect(releaseLight).toBeTypeOf('function');
  // A second call releases nothing.
  for (const free of [release, release, releaseLight, releaseLight]) free?.();
  const [most, more] = [acquire('a', 10), acquire('a')];
  expect(await most).toBeTypeOf('function');
  expect(await more).toBeUndefined();
});
