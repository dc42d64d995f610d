import { startVitest, type TestCase } from 'vitest/node';
import { judge, notRun } from '#bench/drills/judge.ts';

// node bench/drills/run-test.ts <file>: runs a fault test at the size of a drill (`test/faults/at-scale.ts`). Each test
// is a check.
const [file = ''] = process.argv.slice(2);
process.env.DRILL = '1';

const reporter = {
  onTestCaseResult: (test: TestCase) => {
    const { state, errors = [] } = test.result();
    if (state === 'skipped') return notRun(test.fullName);
    judge(test.fullName, state === 'passed');
    for (const { stack, message } of errors) console.error(stack ?? message);
  },
};
const vitest = await startVitest('test', [file], {
  project: ['integration'],
  watch: false,
  reporters: [reporter],
});
const { state } = vitest;
const isRun = state.getFiles().length === 1 && state.getUnhandledErrors().length === 0;
judge('the test file ran without an unhandled error', isRun);
await vitest.close();
