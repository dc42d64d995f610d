import { beforeEach, expect, test } from 'vitest';
import { setTestSettings } from '#test/servers/settings.ts';
import { runSteps } from '#worker/run-steps.ts';

beforeEach(() => setTestSettings());

test('steps that fail keep no other from running, and are named in the end', async () => {
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

test('when all work it is done', async () => {
  await runSteps('test.failed', { one: async () => 1, two: async () => undefined });
});
