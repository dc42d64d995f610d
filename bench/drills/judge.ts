/** What a line of a drill begins with that says how it ended; bench/drills/main.ts counts them. */
export const PASSED = 'PASSED';
export const FELL_SHORT = 'FELL SHORT';

/** Prints whether something held in a drill. One that did not has the drill end with 1. */
export function judge(sentence: string, holds: boolean): void {
  console.log(`  ${holds ? PASSED : FELL_SHORT}: ${sentence}`);
  if (!holds) process.exitCode = 1;
}

/** What a 99th percentile may be during a fault, in milliseconds: twice the one without, or what no one notices. */
export function mostBeside(p99WithoutMs: number): number {
  return Math.max(50, 2 * p99WithoutMs);
}

/** Prints what was measured. */
export function figure(sentence: string): void {
  console.log(`  ${sentence}`);
}
