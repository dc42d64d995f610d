import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runStep, type StepContext } from '#scripts/tools/steps.ts';

const lines: string[] = [];

beforeEach(() => {
  lines.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line.replaceAll(/ +/g, ' ')));
});

afterEach(() => vi.restoreAllMocks());

it('shows a line with the result and the time', async () => {
  const work = async ({ note }: StepContext) => {
    note('none pending');
    return 42;
  };
  expect(await runStep('Migrations', work)).toBe(42);
  expect(lines).toEqual([expect.stringMatching(/^ Migrations none pending \d+\.\d s$/)]);
});

it('shows the failed step, and passes its error on', async () => {
  await expect(runStep('Screens', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(lines).toEqual([expect.stringContaining('Screens failed')]);
});

it('does not report an aborted step as failed, and starts none afterwards', async () => {
  const stop = new AbortController();
  const work = async () => {
    stop.abort();
    throw new Error('stopped');
  };
  await expect(runStep('Screens', work, stop.signal)).rejects.toThrow('stopped');
  await expect(runStep('Server', work, stop.signal)).rejects.toThrow();
  expect(lines).toEqual([expect.stringContaining('Screens aborted')]);
});
