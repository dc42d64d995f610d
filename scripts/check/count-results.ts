import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { projectDir } from '#server/core/project.ts';

/**
 * Results of a stage or of all stages. `failures` has names such as `server/a.test.ts > refuses it`. A failure may
 * have no name.
 */
export type Counts = { passed: number; failed: number; failures: string[] };

export function sumCounts(all: Counts[]): Counts {
  const sum = (key: 'passed' | 'failed') => all.reduce((total, each) => total + each[key], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** Returns the counts of a stage that does one thing, such as the type check. */
export function countOne(passed: boolean): Counts {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, failures: [] };
}

/**
 * Counts tests in vitest's JSON report. A file that does not load counts as a failure, and so does a failed run
 * without a failed test (an unhandled error).
 */
export function countVitest(report: string, exitCode: number): Counts {
  const { numPassedTests, numFailedTests, testResults } = parse(vitestReport, report);
  const files = testResults.filter((file) => file.status === 'failed');
  const failures = files.flatMap(({ name, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    const path = relative(projectDir, name);
    return tests.length === 0
      ? path
      : tests.map((test) => [path, ...test.ancestorTitles, test.title].join(' > '));
  });
  const broken = files.filter((file) => !file.assertionResults.some((test) => test.status === 'failed'));
  return withExitCode({ passed: numPassedTests, failed: numFailedTests + broken.length, failures }, exitCode);
}

/** Counts tests in Playwright's JSON report. An error outside any test counts as a failure. */
export function countPlaywright(report: string, exitCode: number): Counts {
  const { stats, suites, errors } = parse(playwrightReport, report);
  const faults = errors.flatMap(({ message }) => stripVTControlCharacters(message).split('\n', 1));
  const counts = {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    failures: [...suites.flatMap((suite) => failedSpecs(suite)), ...faults.filter((fault) => fault !== '')],
  };
  return withExitCode(counts, exitCode);
}

/** Counts tests in the summary of Node's test runner. A run without a summary counts as a failure. */
export function countNodeTests(output: string, exitCode: number): Counts {
  const sum = (name: string) => Number(new RegExp(`^(?:ℹ|#) ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  const failing = output.matchAll(/^test at (.+):\d+:\d+\n✖ (.+) \([\d.]+ms\)$/gm);
  const failures = [...failing].map(([, path, title]) => `${path} > ${title}`);
  const counts = { passed: sum('pass'), failed: sum('fail') + sum('cancelled'), failures };
  return withExitCode(counts, counts.passed + counts.failed === 0 ? 1 : exitCode);
}

/** Returns the failed specs of a suite and its nested suites. A file's suite has its path as title. */
function failedSpecs({ title, specs, suites }: PlaywrightSuite, above: string[] = []): string[] {
  const path = [...above, title];
  return [
    ...specs.filter(({ ok }) => !ok).map((spec) => [...path, spec.title].join(' > ')),
    ...suites.flatMap((suite) => failedSpecs(suite, path)),
  ];
}

const count = z.number().catch(0);
const text = z.string().catch('');
const outcomes = z
  .array(z.object({ status: z.string(), title: text, ancestorTitles: z.array(z.string()).catch([]) }))
  .catch([]);
const files = z.array(z.object({ status: z.string(), name: text, assertionResults: outcomes })).catch([]);
const vitestReport = z.object({ numPassedTests: count, numFailedTests: count, testResults: files });
const NO_STATS = { expected: 0, flaky: 0, unexpected: 0 };
type PlaywrightSuite = { title: string; specs: { title: string; ok: boolean }[]; suites: PlaywrightSuite[] };
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  title: text,
  specs: z.array(z.object({ title: text, ok: z.boolean() })).catch([]),
  get suites() {
    return z.array(playwrightSuite).catch([]);
  },
});
const playwrightReport = z.object({
  stats: z.object({ expected: count, flaky: count, unexpected: count }).catch(NO_STATS),
  suites: z.array(playwrightSuite).catch([]),
  errors: z.array(z.object({ message: text })).catch([]),
});

/** Parses a report. A broken or missing report is empty. */
function parse<Report extends z.ZodObject>(schema: Report, report: string): z.output<Report> {
  try {
    return schema.parse(JSON.parse(report));
  } catch {
    return schema.parse({});
  }
}

function withExitCode(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
