import { expect, it } from 'vitest';
import {
  countNodeTests,
  countOne,
  countPlaywright,
  countVitest,
  sumCounts,
} from '#scripts/check/count-results.ts';

const vitest = (report: object, code = 0) => countVitest(JSON.stringify(report), code);
const playwright = (report: object, code = 0) => countPlaywright(JSON.stringify(report), code);

it('counts the tests that vitest reports', () => {
  const testResults = [{ status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] }];
  expect(vitest({ numPassedTests: 1, numFailedTests: 1, testResults }, 1)).toEqual({ passed: 1, failed: 1 });
});

it('counts a test file that could not be loaded as a failure', () => {
  const testResults = [{ status: 'failed', assertionResults: [] }];
  expect(vitest({ numPassedTests: 4, numFailedTests: 0, testResults }, 1)).toEqual({ passed: 4, failed: 1 });
});

it('counts a run that ended badly as a failure even if every test passed', () => {
  expect(vitest({ numPassedTests: 4, numFailedTests: 0, testResults: [] }, 1)).toEqual({
    passed: 4,
    failed: 1,
  });
});

it('counts a run that left no report as a failure', () => {
  expect(countVitest('', 1)).toEqual({ passed: 0, failed: 1 });
  expect(countPlaywright('{', 1)).toEqual({ passed: 0, failed: 1 });
});

it('counts the flows that Playwright reports', () => {
  const stats = { expected: 7, unexpected: 2, flaky: 1, skipped: 3 };
  expect(playwright({ stats, errors: [] }, 1)).toEqual({ passed: 8, failed: 2 });
});

it('counts a service that did not start for the flows as a failure', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0 };
  expect(playwright({ stats, errors: [{ message: 'exit code 1' }] }, 1)).toEqual({ passed: 0, failed: 1 });
});

it("counts the tests that Node's runner sums up, and a run without a test as a failure", () => {
  const summary = (pass: number, fail: number) =>
    `ℹ tests 9\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\n`;
  expect(countNodeTests(summary(7, 2), 1)).toEqual({ passed: 7, failed: 2 });
  expect(countNodeTests('# pass 4\n# fail 0\n', 0)).toEqual({ passed: 4, failed: 0 });
  expect(countNodeTests(summary(4, 0), 1)).toEqual({ passed: 4, failed: 1 });
  expect(countNodeTests(summary(0, 0), 0)).toEqual({ passed: 0, failed: 1 });
  expect(countNodeTests('Error: Cannot find module', 1)).toEqual({ passed: 0, failed: 1 });
});

it('sums all stages', () => {
  expect(sumCounts([countOne(true), countOne(false), { passed: 5, failed: 2 }])).toEqual({
    passed: 6,
    failed: 3,
  });
  expect(sumCounts([])).toEqual({ passed: 0, failed: 0 });
});
