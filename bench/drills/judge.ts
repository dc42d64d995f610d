/** Prefixes of the lines with the result of a check. bench/drills/main.ts counts these lines. */
export const PASSED = 'PASSED';
export const FELL_SHORT = 'FELL SHORT';
export const NOT_RUN = 'NOT RUN';

/** Prints the result of a check. A failed check makes the drill exit with 1. */
export function judge(sentence: string, holds: boolean): void {
  console.log(`  ${holds ? PASSED : FELL_SHORT}: ${sentence}`);
  if (!holds) process.exitCode = 1;
}

/** Prints what this machine lacks for a drill, or for a part of it. */
export function notRun(sentence: string): void {
  console.log(`  ${NOT_RUN}: ${sentence}`);
}

/**
 * Returns the maximum 99th percentile during a fault, in ms: twice the value without a fault, or 50 ms, which
 * no user notices.
 */
export function maxDuringFault(p99WithoutMs: number): number {
  return Math.max(50, 2 * p99WithoutMs);
}

export function figure(sentence: string): void {
  console.log(`  ${sentence}`);
}
