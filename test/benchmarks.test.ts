import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BENCHMARKS, expectedMinutes } from '#bench/benchmarks.ts';
import { projectPath } from '#scripts/tools/project.ts';

test('all benchmarks together are reckoned to take 75 minutes at most', () => {
  expect(expectedMinutes(undefined)).toBeLessThanOrEqual(75);
});

test('each benchmark says how long it takes, and CONTRIBUTING what it measures', () => {
  const text = readFileSync(projectPath('CONTRIBUTING.md'), 'utf8');
  for (const name of Object.keys(BENCHMARKS)) {
    expect(text).toContain(`| \`${name}\` |`);
    expect(expectedMinutes(name)).toBeGreaterThanOrEqual(name === 'scaling' ? 0 : 1);
  }
});
