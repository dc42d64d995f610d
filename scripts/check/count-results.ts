/** What one stage of the checks, or all of them, came to. */
export type Counts = { passed: number; failed: number };

/** The sum of several counts. */
export function sumCounts(all: Counts[]): Counts {
  return all.reduce(
    (sum, each) => ({ passed: sum.passed + each.passed, failed: sum.failed + each.failed }),
    NONE,
  );
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
  const value = parseObject(report);
  const files = listOf(value?.testResults).filter((file) => file.status === 'failed');
  const broken = files.filter(
    (file) => !listOf(file.assertionResults).some((test) => test.status === 'failed'),
  );
  const counts = {
    passed: numberOf(value?.numPassedTests),
    failed: numberOf(value?.numFailedTests) + broken.length,
  };
  return withExitCode(counts, exitCode);
}

/** Counts tests in Playwright's JSON report; a fault outside of any test is a failure too. */
export function countPlaywright(report: string, exitCode: number): Counts {
  const value = parseObject(report);
  const stats = isObject(value?.stats) ? value.stats : {};
  const counts = {
    passed: numberOf(stats.expected) + numberOf(stats.flaky),
    failed: numberOf(stats.unexpected) + listOf(value?.errors).length,
  };
  return withExitCode(counts, exitCode);
}

/** Counts tests in the summary that Node's test runner ends with; a run without one is a failure. */
export function countNodeTests(output: string, exitCode: number): Counts {
  const count = (name: string) => Number(new RegExp(`^(?:ℹ|#) ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const counts = { passed: count('pass'), failed: count('fail') + count('cancelled') };
  return withExitCode(counts, counts.passed + counts.failed === 0 ? 1 : exitCode);
}

function withExitCode(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

const NONE: Counts = { passed: 0, failed: 0 };
