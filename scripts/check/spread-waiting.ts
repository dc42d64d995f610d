import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What a file imports whose tests start, kill and wait for whole processes. */
const PROCESSES =
  /'(node:child_process|#scripts\/postgres\/[\w-]+\.ts|#test\/(database\/own-postgres|servers\/service-processes|fixtures\/worker-drill)\.ts)'/;
/** The same, and those whose tests wait for times of the service: they take longest, and use little of a processor. */
const WAITING = new RegExp(`${PROCESSES.source}|#test/faults/break-off\\.ts'|^// Mostly waits`, 'm');

/** Whether the tests of a file start processes of their own. */
export function startsProcesses(file: string): boolean {
  return PROCESSES.test(readFileSync(file, 'utf8'));
}

/**
 * Spreads the files that mostly wait evenly among those that work, so that there is always work to do meanwhile, and ends
 * with short ones that work; longer files come before shorter ones. The order is that of the files, never of an earlier
 * run: the same on every machine.
 */
export class SpreadWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const texts = new Map(files.map((file) => [file, readFileSync(file.moduleId, 'utf8')]));
    const lengthOf = (file: TestSpecification) => texts.get(file)?.length ?? 0;
    const sorted = files.toSorted((a, b) => lengthOf(b) - lengthOf(a));
    const waiting = sorted.filter((file) => WAITING.test(texts.get(file) ?? ''));
    const working = sorted.filter((file) => !waiting.includes(file));
    const share = Math.floor(working.length / Math.max(1, waiting.length));
    const parts = waiting.map((file, at) => [file, ...working.slice(at * share, (at + 1) * share)]);
    return [...parts.flat(), ...working.slice(waiting.length * share)];
  }
}
