import { expect, it } from 'vitest';
import {
  countNodeTests,
  countOne,
  countPlaywright,
  countVitest,
  sumCounts,
} from '#scripts/check/count-results.ts';
import { projectPath } from '#server/core/project.ts';

const vitest = (report: object, code = 0) => countVitest(JSON.stringify(report), code);
const playwright = (report: object, code = 0) => countPlaywright(JSON.stringify(report), code);

it('counts the tests that vitest reports, and names failed ones by file and title', () => {
  const assertionResults = [
    { status: 'passed', ancestorTitles: [], title: 'reads it' },
    { status: 'failed', ancestorTitles: ['without a plan'], title: 'refuses it' },
  ];
  const testResults = [{ status: 'failed', name: projectPath('server', 'a.test.ts'), assertionResults }];
  expect(vitest({ numPassedTests: 1, numFailedTests: 1, testResults }, 1)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['server/a.test.ts > without a plan > refuses it'],
  });
});

it('counts a test file that could not be loaded as a failure, and names it', () => {
  const testResults = [{ status: 'failed', name: projectPath('server', 'b.test.ts'), assertionResults: [] }];
  expect(vitest({ numPassedTests: 4, numFailedTests: 0, testResults }, 1)).toEqual({
    passed: 4,
    failed: 1,
    failures: ['server/b.test.ts'],
  });
});

it('counts a run with an error exit code as a failure even if every test passed', () => {
  const counts = vitest({ numPassedTests: 4, numFailedTests: 0, testResults: [] }, 1);
  expect(counts).toEqual({ passed: 4, failed: 1, failures: [] });
});

it('counts a run that left no report as a failure', () => {
  expect(countVitest('', 1)).toEqual({ passed: 0, failed: 1, failures: [] });
  expect(countPlaywright('{', 1)).toEqual({ passed: 0, failed: 1, failures: [] });
});

it('counts the tests that Playwright reports, and names failed ones by file and title', () => {
  const stats = { expected: 7, unexpected: 2, flaky: 1, skipped: 3 };
  const suites = [
    {
      title: 'inbox.spec.ts',
      file: 'inbox.spec.ts',
      specs: [
        { title: 'a reply leaves', ok: false },
        { title: 'a note stays', ok: true },
      ],
      suites: [
        {
          title: 'on a phone',
          file: 'inbox.spec.ts',
          specs: [{ title: 'details are a sheet', ok: false }],
        },
      ],
    },
  ];
  expect(playwright({ stats, suites, errors: [] }, 1)).toEqual({
    passed: 8,
    failed: 2,
    failures: ['inbox.spec.ts > a reply leaves', 'inbox.spec.ts > on a phone > details are a sheet'],
  });
});

it('counts a service that did not start as a failure, with the first line of the reason', () => {
  const stats = { expected: 0, unexpected: 0, flaky: 0 };
  const errors = [{ message: '\u001b[31mError: the service ended\u001b[39m\nwith exit code 1' }, {}];
  expect(playwright({ stats, errors }, 1)).toEqual({
    passed: 0,
    failed: 2,
    failures: ['Error: the service ended'],
  });
});

it("counts the tests that Node's runner sums up, and a run without a test as a failure", () => {
  const summary = (pass: number, fail: number) =>
    `ℹ tests 9\nℹ pass ${pass}\nℹ fail ${fail}\nℹ cancelled 0\n`;
  expect(countNodeTests(summary(7, 2), 1)).toEqual({ passed: 7, failed: 2, failures: [] });
  expect(countNodeTests('# pass 4\n# fail 0\n', 0)).toEqual({ passed: 4, failed: 0, failures: [] });
  expect(countNodeTests(summary(4, 0), 1)).toEqual({ passed: 4, failed: 1, failures: [] });
  expect(countNodeTests(summary(0, 0), 0)).toEqual({ passed: 0, failed: 1, failures: [] });
  expect(countNodeTests('Error: Cannot find module', 1)).toEqual({ passed: 0, failed: 1, failures: [] });
});

it("names the tests that Node's runner lists as failing, once each", () => {
  const output = [
    '▶ a trigger',
    '  ✖ subscribes (0.8ms)',
    '✖ a trigger (5.5ms)',
    'ℹ pass 1\nℹ fail 1\nℹ cancelled 0',
    '✖ failing tests:\n',
    'test at test/triggers.test.ts:2:23',
    '✖ subscribes (once) (0.831207ms)',
    '  Error: no',
  ].join('\n');
  expect(countNodeTests(output, 1).failures).toEqual(['test/triggers.test.ts > subscribes (once)']);
});

it('sums all stages', () => {
  const flows = { passed: 5, failed: 2, failures: ['a > b', 'a > c'] };
  expect(sumCounts([countOne(true), countOne(false), flows])).toEqual({
    passed: 6,
    failed: 3,
    failures: ['a > b', 'a > c'],
  });
  expect(sumCounts([])).toEqual({ passed: 0, failed: 0, failures: [] });
});
