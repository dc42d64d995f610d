import { compareRow } from '#bench/lab/compare-row.ts';
import { ROWS } from '#bench/lab/rows.ts';
import { scaled } from '#bench/lab/scaled.ts';

/** Filling takes minutes and is kept for the next run and for `growth`: `BENCH_SCALE` makes it fewer. */
const CONVERSATIONS = scaled(1_000_000);

/**
 * GET /conversations/search by email in a workspace of 1,000,000 conversations beside a bare program with one prepared join
 * that makes the same JSON.
 */
export async function benchSearch(rounds: number): Promise<void> {
  await compareRow(`search among ${CONVERSATIONS}`, ROWS['GET /conversations/search'], {
    rounds,
    conversations: CONVERSATIONS,
    isKept: true,
    figures: {
      'a second': { unit: '', bars: [{ to: 'a bare program', atLeast: 0.5 }] },
      '99th percentile': { unit: 'ms' },
    },
  });
}
