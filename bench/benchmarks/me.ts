import { compareRow } from '#bench/lab/compare-row.ts';
import { ROWS } from '#bench/lab/rows.ts';
import { scaled } from '#bench/lab/scaled.ts';

/**
 * GET /me with all its rules (token, role, limit, log, headers, the shape of its response) beside a bare program that looks the
 * token up and does nothing else.
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
