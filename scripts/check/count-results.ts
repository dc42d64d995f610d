import { z } from 'zod';

/** What one stage of the checks, or all of them, came to. */
export type Counts = { passed: number; failed: number };

/** The sum of several counts. */
export function sumCounts(all: Counts[]): Counts {
  const sum = (key: keyof Counts) => all.reduce((total, each) => total + each[key], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

/** A stage that is one thing, such as the type check. */
export function countOne(passed: boolean): Counts {
  return passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/**
 * Counts tests in vitest's JSON report. A file that could not even be loaded is a failure although it has no
 * tests, and so is a run that ended badly without naming a test (an unhandled error).
 */
export function countVitest(report: string, exitCode: number): Counts {
  const { numPassedTests, numFailedTests, testResults } = parse(vitestReport, report);
  const files = testResults.filter((file) => file.status === 'failed');
  const broken = files.filter((file) => !file.assertionResults.some((test) => test.status === 'failed'));
  return withExitCode({ passed: numPassedTests, failed: numFailedTests + broken.length }, exitCode);
}

/** Counts tests in Playwright's JSON report; a fault outside of any test is a failure too. */
export function countPlaywright(report: string, exitCode: number): Counts {
  const { stats, errors } = parse(playwrightReport, report);
  const counts = { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length };
  return withExitCode(counts, exitCode);
}

/** Counts tests in the summary that Node's test runner ends with; a run without one is a failure. */
export function countNodeTests(output: string, exitCode: number): Counts {
  const sum = (name: string) => Number(new RegExp(`^(?:ℹ|#) ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const counts = { passed: sum('pass'), failed: sum('fail') + sum('cancelled') };
  return withExitCode(counts, counts.passed + counts.failed === 0 ? 1 : exitCode);
}

const count = z.number().catch(0);
const outcomes = z.array(z.object({ status: z.string() })).catch([]);
const files = z.array(z.object({ status: z.string(), assertionResults: outcomes })).catch([]);
const vitestReport = z.object({ numPassedTests: count, numFailedTests: count, testResults: files });
const NO_STATS = { expected: 0, flaky: 0, unexpected: 0 };
const playwrightReport = z.object({
  stats: z.object({ expected: count, flaky: count, unexpected: count }).catch(NO_STATS),
  errors: z.array(z.unknown()).catch([]),
});

/** What a report says; one that is broken or missing says nothing. */
function parse<Report extends z.ZodObject>(schema: Report, text: string): z.output<Report> {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return schema.parse({});
  }
}

function withExitCode(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
