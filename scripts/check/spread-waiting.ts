import { existsSync, readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PROCESSES } from '#scripts/check/tiers.ts';
import { projectPath } from '#server/core/project.ts';

/** Matches also files whose tests mostly wait: they take longest and use little processor time. */
const WAITING = new RegExp(`${PROCESSES.source}|#test/faults/break-off\\.ts'|^// Mostly waits`, 'm');

/** Matches files and fixtures that set the service's settings or limits, and so need a separate service. */
const SETTINGS = /\.extend\(\s*'(settings|baseSettings|limits|template)'|startTestService\((?!\))/;
const FIXTURE = /'#test\/(fixtures\/[\w-]+-test\.ts)'/g;
/** Defines the usual settings, which all its files share. */
const USUAL = 'fixtures/service-test.ts';

/** Returns whether a file, or a fixture that it imports, starts a service with other settings than most files. */
function hasOwnSettings(text: string): boolean {
  if (SETTINGS.test(text)) return true;
  const fixtures = [...text.matchAll(FIXTURE)].map(([, path]) => path ?? '').filter((path) => path !== USUAL);
  return fixtures
    .map((path) => projectPath('test', path))
    .some((path) => existsSync(path) && hasOwnSettings(readFileSync(path, 'utf8')));
}

/**
 * Orders test files. Files that set settings come last, because most files share one service per process.
 * In both groups, files that mostly wait are spread among those that compute, so that the processors stay busy. Longer
 * files come first. The order depends only on the files, so it is the same on every machine.
 */
export class SpreadWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const texts = new Map(files.map((file) => [file, readFileSync(file.moduleId, 'utf8')]));
    const textOf = (file: TestSpecification) => texts.get(file) ?? '';
    const sorted = files.toSorted((a, b) => textOf(b).length - textOf(a).length);
    const { own = [], usual = [] } = Object.groupBy(sorted, (file) =>
      hasOwnSettings(textOf(file)) ? 'own' : 'usual',
    );
    const isWaiting = (file: TestSpecification) => WAITING.test(textOf(file));
    return [usual, own].flatMap((group) => spread(group, isWaiting));
  }
}

function spread<T>(items: T[], isWaiting: (item: T) => boolean): T[] {
  const waiting = items.filter(isWaiting);
  const working = items.filter((item) => !isWaiting(item));
  const share = Math.floor(working.length / Math.max(1, waiting.length));
  const parts = waiting.map((item, at) => [item, ...working.slice(at * share, (at + 1) * share)]);
  return [...parts.flat(), ...working.slice(waiting.length * share)];
}
