import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectDir, projectPath } from '#server/core/project.ts';

const decisions = globSync('docs/decisions/*.md', { cwd: projectDir });

/** Documents that a newcomer reads first, with their maximum number of words. */
const LIMITS: [string, number][] = [
  ['README.md', 900],
  ['CONTRIBUTING.md', 1_000],
  ['docs/architecture.md', 1_500],
  ['docs/releasing.md', 300],
  ...decisions.map((file): [string, number] => [file, 300]),
];

test.each(LIMITS)('%s has at most %i words', (file, limit) => {
  const words = readFileSync(projectPath(file), 'utf8').split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(limit);
});
