import { beforeEach, expect, test } from 'vitest';
import { setTestSettings } from '#test/servers/settings.ts';
import { runSteps } from '#worker/run-steps.ts';

beforeEach(() => setTestSettings());

test('failed steps do not block other steps, and are listed in the error', async () => {
  const ran: string[] = [];
  const step = (name: string, fails = false) => ({
    [name]: async () => {
      ran.push(name);
      if (fails) throw new Error('It does not work.');
    },
  });
  const running = runSteps('test.failed', {
    ...step('one', true),
    ...step('two'),
    ...step('three', true),
    ...step('four'),
  });
  await expect(running).rejects.toThrow('These steps failed: one, three.');
  expect(ran).toEqual(['one', 'two', 'three', 'four']);
});

test('resolves if all steps succeed', async () => {
  await runSteps('test.failed', { one: async () => 1, two: async () => undefined });
});
