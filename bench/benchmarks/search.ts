import { compareRow } from '#bench/lab/compare-row.ts';
import { ROWS } from '#bench/lab/rows.ts';
import { scaled } from '#bench/lab/scaled.ts';

/**
 * Filling takes minutes, so the data stays for the next run and for `growth`. `BENCH_SCALE` reduces the
 * number.
 */
const CONVERSATIONS = scaled(1_000_000);

/**
 * Measures GET /conversations/search by email among 1,000,000 conversations. Compares with a bare program
 * that builds the same JSON with one prepared join.
 */
export async function benchSearch(rounds: number): Promise<void> {
  await compareRow(`search among ${CONVERSATIONS}`, ROWS['GET /conversations/search'], {
    rounds,
    conversations: CONVERSATIONS,
    isShared: true,
    figures: {
      'a second': { unit: '', bars: [{ to: 'a bare program', atLeast: 0.5 }] },
      '99th percentile': { unit: 'ms' },
    },
  });
}
