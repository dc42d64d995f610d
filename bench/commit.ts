import { z } from 'zod';
import { runTool } from '#scripts/tools/run-tool.ts';
import { compare, type Side } from './compare.ts';
import { startLab } from './lab.ts';

/** A flush takes two milliseconds at least, as on a managed database, also when no one else commits. */
const SLOW_FLUSH = { commit_delay: 2_000, commit_siblings: 0 };

/**
 * How many changes a second 32 writers commit: a change with its event and jobs beside the same change without; and the
 * commit alone, one row with a job beside one row, which says what the second row costs. To reach for the change: 0.8.
 */
export async function benchCommit(rounds: number): Promise<void> {
  const lab = await startLab(SLOW_FLUSH);
  const side = (name: string, kind: string): Side<'rate'> => ({
    name,
    measure: async () => ({ rate: await measure(lab.url, kind) }),
  });
  try {
    await compare('commit: one row', {
      rounds,
      figures: { rate: { unit: 'commits/s' } },
      sides: [side('with a job', 'row-with-job'), side('without', 'row')],
    });
    await compare('commit: a change of a conversation', {
      rounds,
      figures: { rate: { unit: 'changes/s', bars: [{ to: 'without', atLeast: 0.8 }] } },
      sides: [side('with event and jobs', 'change-with-event'), side('without', 'change')],
    });
  } finally {
    await lab.stop();
  }
}

async function measure(databaseUrl: string, kind: string): Promise<number> {
  const { code, output } = await runTool('bench/programs/commit-load.ts', [kind], {
    env: { DATABASE_URL: databaseUrl },
    signal: AbortSignal.timeout(120_000),
  });
  if (code !== 0) throw new Error(output);
  return z.coerce.number().positive().parse(output.trim());
}
