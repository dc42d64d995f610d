import { compareRow } from '#bench/lab/compare-row.ts';
import { ROWS } from '#bench/lab/rows.ts';
import { scaled } from '#bench/lab/scaled.ts';

/**
 * Measures GET /me with all its checks (token, role, rate limit, log, headers, response schema). Compares
 * with a bare program that only looks up the token.
 */
export async function benchMe(rounds: number): Promise<void> {
  await compareRow('me', ROWS['GET /me'], {
    rounds,
    conversations: scaled(10_000),
    floor: { FLOOR_WITHOUT_LIMITS: '1' },
    figures: {
      'a second': { unit: '', bars: [{ to: 'a bare program', atLeast: 0.45 }] },
      '99th percentile': { unit: 'ms', bars: [{ to: 'a bare program', atMost: 3 }] },
    },
  });
}
