import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BENCHMARKS, chosenBenchmarks, expectedMinutes } from '#bench/benchmarks.ts';
import { projectPath } from '#server/core/project.ts';

test('all benchmarks together are expected to take at most two and a half hours', () => {
  expect(expectedMinutes(chosenBenchmarks(undefined))).toBeLessThanOrEqual(150);
});

test('a full run measures nothing twice', () => {
  const names = chosenBenchmarks(undefined);
  for (const [name, { partOf }] of Object.entries(BENCHMARKS)) {
    expect(names.includes(name)).toBe(partOf === undefined);
    if (partOf !== undefined) expect(names).toContain(partOf);
  }
});

test('each benchmark has an expected duration and a row in bench/README.md', () => {
  const text = readFileSync(projectPath('bench', 'README.md'), 'utf8');
  for (const name of Object.keys(BENCHMARKS)) {
    expect(text).toContain(`| \`${name}\` |`);
    expect(expectedMinutes([name])).toBeGreaterThanOrEqual(1);
  }
});
