import { readFileSync } from 'node:fs';

/** `everyday` leaves out tests that are costly and seldom fail: see `isCostly` and flows without the tag `@journey`. */
export type Tier = 'everyday' | 'all';

/** Matches imports of files that start, kill or wait for processes. */
export const PROCESSES =
  /'(node:child_process|#scripts\/postgres\/[\w-]+\.ts|#test\/(database\/own-postgres|servers\/service-processes|fixtures\/(fault|secret-journey|two-servers)-test)\.ts)'/;
/** Matches the import of a workspace with many rows. */
const LARGE = "'#test/fixtures/large-workspace-test.ts'";

/** Returns whether a test file runs only with `--all`: it starts processes, or judges plans at size. */
export function isCostly(file: string): boolean {
  const text = readFileSync(file, 'utf8');
  return PROCESSES.test(text) || text.includes(LARGE);
}
