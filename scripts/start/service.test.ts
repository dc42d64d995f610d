import { expect, it } from 'vitest';
import { planRestart } from '#scripts/start/service.ts';

it('waits longer before every restart, and gives up after five within a minute', () => {
  const restarts: number[] = [];
  const pauses = [0, 1, 2, 3, 4, 5].map((second) => {
    const pause = planRestart(restarts, second * 1_000);
    restarts.push(second * 1_000);
    return pause;
  });
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, undefined]);
});

it('ignores restarts over a minute ago', () => {
  expect(planRestart([0, 1, 2, 3, 4], 61_000)).toBe(500);
});
