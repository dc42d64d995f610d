import { SERVER_ROWS } from '#bench/benchmarks/server-rows.ts';
import { compare } from '#bench/compare.ts';
import { startLab } from '#bench/lab/lab.ts';
import { measureRow } from '#bench/lab/measure-row.ts';
import { type MeasuredProgram, startMeasured } from '#bench/lab/measured-program.ts';
import type { BenchRequest } from '#bench/lab/request-load.ts';
import { startRequestLoad } from '#bench/lab/request-load.ts';
import { fillStage } from '#bench/lab/request-stage.ts';
import { ROWS, type Row } from '#bench/lab/rows.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { startTokenPeers, TOKEN_PEERS } from '#bench/lab/token-peers.ts';
import { closeDatabase } from '#server/core/database/db.ts';
import { setTestSettings } from '#test/servers/settings.ts';

const CONVERSATIONS = scaled(100_000);

/** Writes of the platform alone. */
export const benchCreate = (rounds: number) => benchRequests(rounds, ['POST', 'PATCH']);

/** Token requests alone. */
export const benchToken = (rounds: number) => benchRequests(rounds, ['token']);

/**
 * Requests of the platform: how many a second the service answers and what each costs it, beside a bare program that writes and
 * reads the same rows.
 * @param chosen the rows, by a part of their names; `BENCH_ROWS` has others
 */
export async function benchRequests(
  rounds: number,
  chosen: string[] = process.env.BENCH_ROWS?.split(',') ?? [''],
): Promise<void> {
  const lab = await startLab();
  try {
    setTestSettings({ DATABASE_URL: lab.url, LOG_LEVEL: 'info' });
    const stage = await fillStage(lab.url, CONVERSATIONS);
    await using load = await startRequestLoad();
    await using ours = await startMeasured('test/servers/serve.ts');
    await using floor = await startMeasured('bench/programs/request-floor.ts');
    const rows = Object.entries<Row>(ROWS).filter(([name]) => chosen.some((part) => name.includes(part)));
    await using peers = await startTokenPeers(
      lab,
      rows.some(([, row]) => row.makeForPeer) ? TOKEN_PEERS : [],
    );
    // Tokens that a refresh replaced open nothing any more: those rows come last.
    for (const [name, row] of rows) {
      const { make, makeForPeer } = row;
      const side = (program: MeasuredProgram, title: string, requests: () => Promise<BenchRequest[]>) => ({
        name: title,
        measure: () => measureRow({ program, load, row, url: lab.url, title, requests }),
      });
      const own = async () => make(stage, lab.url);
      const besides = makeForPeer ? peers.all : [];
      const sides = [
        side(ours, 'the service', own),
        side(floor, 'a bare program', own),
        ...besides.map((peer) => side(peer.program, peer.name, () => makeForPeer?.(peer) ?? own())),
      ];
      // Once before it counts: code is compiled, statements are prepared, connections opened.
      for (const { measure: warm } of sides) await warm();
      const bars = [
        { to: 'a bare program', atLeast: row.atLeast },
        ...besides.map((peer) => ({ to: peer.name, atLeast: 1 })),
      ];
      await compare(`requests: ${name}`, {
        rounds,
        figures: {
          'a second': { unit: '', bars },
          median: { unit: 'ms' },
          '95th percentile': { unit: 'ms' },
          '99th percentile': { unit: 'ms' },
          'processor time of a request': { unit: 'ms' },
          'statements of a request': { unit: '' },
          memory: { unit: 'MiB' },
        },
        sides,
      });
    }
    for (const { name, bench } of SERVER_ROWS) {
      if (chosen.some((part) => name.includes(part))) await bench({ rounds, stage, load });
    }
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}
