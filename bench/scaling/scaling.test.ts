import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCosts } from '#bench/scaling/costs.ts';
import { BUSY_MOST, planFor } from '#bench/scaling/plan.ts';
import { simulate } from '#bench/scaling/simulate.ts';
import { SIZES, scalingTable } from '#bench/scaling/table.ts';
import { projectPath } from '#server/core/project.ts';

const costs = readCosts();

test('docs/scaling.md has the table computed from the measured costs', () => {
  const document = readFileSync(projectPath('docs', 'scaling.md'), 'utf8');
  expect(document).toContain(scalingTable(costs).join('\n'));
});

test('docs/scaling.md has the measured costs', () => {
  const document = readFileSync(projectPath('docs', 'scaling.md'), 'utf8');
  for (const kind of ['read', 'search', 'change', 'refresh', 'delivery'] as const) {
    expect(document).toContain(`| ${costs[kind].processMs} | ${costs[kind].postgresMs} |`);
  }
  expect(document).toContain(`load of ${costs.load}`);
});

// Random arrivals vary by up to a tenth; at the smallest size a minute has too few calls.
test.each(SIZES.slice(1))('%i simulated workspaces keep processors as busy as computed', (workspaces) => {
  const plan = planFor(workspaces, costs);
  const seconds = workspaces > 10_000 ? 3 : 60;
  const { share } = simulate(plan, costs, { seconds, seed: 7 });
  for (const part of ['servers', 'workers', 'postgres'] as const) {
    const computed = plan.busy[part] / plan.cores[part];
    expect(share[part]).toBeGreaterThan(0.9 * computed);
    expect(share[part]).toBeLessThan(1.1 * computed);
    expect(computed).toBeLessThanOrEqual(BUSY_MOST);
  }
});

test('a simulated installation with half the required processors falls behind', () => {
  const plan = planFor(100_000, costs);
  const half = Math.max(1, Math.floor(plan.busy.postgres / 2));
  const short = simulate({ ...plan, cores: { ...plan.cores, postgres: half } }, costs, {
    seconds: 3,
    seed: 7,
  });
  const enough = simulate(plan, costs, { seconds: 3, seed: 7 });
  expect(short.requestMs).toBeGreaterThan(5 * enough.requestMs);
});
