import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Matches imports of files that start, kill or wait for processes. */
const PROCESSES =
  /'(node:child_process|#scripts\/postgres\/[\w-]+\.ts|#test\/(database\/own-postgres|servers\/service-processes|fixtures\/(fault|secret-journey|two-servers)-test)\.ts)'/;
/** Matches also files whose tests mostly wait: they take longest and use little processor time. */
const WAITING = new RegExp(`${PROCESSES.source}|#test/faults/break-off\\.ts'|^// Mostly waits`, 'm');

export function startsProcesses(file: string): boolean {
  return PROCESSES.test(readFileSync(file, 'utf8'));
}

/**
 * Spreads files that mostly wait among those that compute, so that the processors stay busy. Longer files come first.
 * The order depends only on the files, so it is the same on every machine.
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
