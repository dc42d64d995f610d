import { z } from 'zod';
import { compare, type FigureOf } from '#bench/compare.ts';
import { startLab } from '#bench/lab/lab.ts';
import { runTool } from '#scripts/tools/run-tool.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';

/** Added duration of a flush, in ms: 0 measures this machine's disk, more simulates a managed database. */
const FLUSH_MS = [0, 2, 5];
const WRITERS = [1, 8, 32];

/** Compares the rate of committed conversation changes with and without their events and jobs. */
export async function benchCommit(rounds: number): Promise<void> {
  // Apply the commit delay to a single writer too.
  const lab = await startLab({ commit_siblings: 0 });
  const bars = [{ to: 'without', atLeast: 0.8 }];
  const side = (name: string, kind: string) => ({ name, measure: () => measure(lab.url, kind) });
  try {
    for (const flushMs of FLUSH_MS) {
      await queryPostgres(lab.url, `alter system set commit_delay = ${flushMs * 1_000}`);
      await queryPostgres(lab.url, 'select pg_reload_conf()');
      await compare<string>(`commit: a flush of ${flushMs} ms`, {
        rounds,
        figures: Object.fromEntries(
          WRITERS.map((writers): [string, FigureOf] => [nameOf(writers), { unit: 'changes/s', bars }]),
        ),
        sides: [side('with event and jobs', 'with-event'), side('without', 'alone')],
      });
    }
  } finally {
    await queryPostgres(lab.url, 'alter system reset commit_delay');
    await lab.stop();
  }
}

async function measure(databaseUrl: string, kind: string): Promise<Record<string, number>> {
  const { code, output } = await runTool('bench/programs/commit-load.ts', [kind, ...WRITERS.map(String)], {
    env: { DATABASE_URL: databaseUrl },
    signal: AbortSignal.timeout(120_000),
  });
  if (code !== 0) throw new Error(output);
  const rates = z.array(z.number().positive()).length(WRITERS.length).parse(JSON.parse(output));
  return Object.fromEntries(WRITERS.map((writers, place) => [nameOf(writers), rates[place] ?? 0]));
}

function nameOf(writers: number): string {
  return writers === 1 ? '1 writer' : `${writers} writers`;
}
