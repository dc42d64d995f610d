import { compare } from '#bench/compare.ts';
import { buildStaticApp, STATIC_MARK } from '#bench/lab/build-static-app.ts';
import { percentile } from '#bench/lab/clock.ts';
import { FILLING } from '#bench/lab/fill-inbox.ts';
import { startLab } from '#bench/lab/lab.ts';
import { type MeasuredProgram, startMeasured } from '#bench/lab/measured-program.ts';
import { consentPath, startPageStage } from '#bench/lab/page-stage.ts';
import { type BenchRequest, startRequestLoad } from '#bench/lab/request-load.ts';
import { scaled } from '#bench/lab/scaled.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';

const REQUESTS = scaled(400);

/** `atLeast`: required share of the rate of a static page of the same size. */
type PageRow = { path: string; contains: string; concurrency: number; atLeast: number };

/**
 * Measures the rate of rendered pages of a signed-in user. Compares with a static Next page of the same size.
 * The most visited pages are also requested over 16 connections. `BENCH_ROWS` selects rows by a part of their
 * names.
 */
export async function benchPages(rounds: number): Promise<void> {
  const lab = await startLab(FILLING);
  try {
    const { program: ours, cookie, conversation } = await startPageStage(lab);
    await using _ours = ours;
    await using load = await startRequestLoad();
    await using floor = await startStatic();
    const inbox = { path: '/inbox', contains: 'data-conversation=' };
    const consent = { path: consentPath(), contains: 'name="form"' };
    const opened = { path: `/inbox?selected=${conversation}`, contains: 'aria-label="Composer"' };
    const integrations = { path: '/settings/integrations', contains: 'No connections yet' };
    const rows: Record<string, PageRow> = {
      'GET /inbox': { ...inbox, concurrency: 8, atLeast: 0.4 },
      'GET /inbox with a conversation': { ...opened, concurrency: 8, atLeast: 0.4 },
      'GET /settings/integrations': { ...integrations, concurrency: 8, atLeast: 0.4 },
      'GET /oauth/authorize': { ...consent, concurrency: 8, atLeast: 0.4 },
      'GET /inbox, 16 in parallel': { ...inbox, concurrency: 16, atLeast: 0.5 },
      'GET /oauth/authorize, 16 in parallel': { ...consent, concurrency: 16, atLeast: 0.5 },
    };
    const chosen = process.env.BENCH_ROWS?.split(',') ?? [''];
    for (const [name, { path, contains, concurrency, atLeast }] of Object.entries(rows)) {
      if (!chosen.some((part) => name.includes(part))) continue;
      const page: BenchRequest = { method: 'GET', path, headers: { cookie } };
      const bytes = await sizeOf(ours, page);
      const lines = await linesFor(floor, bytes);
      const side = (title: string, program: MeasuredProgram, request: BenchRequest, marked: string) => ({
        name: title,
        measure: async () => {
          await program.work();
          const requests = Array.from({ length: REQUESTS }, () => request);
          const result = await load.run({
            url: program.url,
            requests,
            concurrency,
            status: 200,
            contains: marked,
          });
          const { statements, cpuMs } = await program.work();
          return {
            'a second': REQUESTS / (result.tookMs / 1_000),
            median: percentile(result.times, 0.5),
            '95th percentile': percentile(result.times, 0.95),
            '99th percentile': percentile(result.times, 0.99),
            'processor time of a page': cpuMs / REQUESTS,
            'statements of a page': statements / REQUESTS,
            'size of a page': result.bytes / REQUESTS / 1024,
          };
        },
      });
      const still: BenchRequest = { method: 'GET', path: `/${lines}`, headers: {} };
      const sides = [
        side('the service', ours, page, contains),
        side('a static page of Next', floor, still, STATIC_MARK),
      ];
      for (const { measure: warm } of sides) await warm();
      await compare(`pages: ${name}`, {
        rounds,
        figures: {
          'a second': { unit: '', bars: [{ to: 'a static page of Next', atLeast }] },
          median: { unit: 'ms' },
          '95th percentile': { unit: 'ms' },
          '99th percentile': { unit: 'ms' },
          'processor time of a page': { unit: 'ms' },
          'statements of a page': { unit: '' },
          'size of a page': { unit: 'KiB' },
        },
        sides,
      });
    }
  } finally {
    await closeDatabase();
    await lab.stop();
  }
}

async function startStatic(): Promise<MeasuredProgram> {
  const dir = await buildStaticApp();
  return startMeasured('bench/programs/serve-static.ts', { NODE_ENV: 'production' }, [dir]);
}

async function sizeOf(program: MeasuredProgram, { path, headers }: BenchRequest): Promise<number> {
  const response = await fetch(`${program.url}${path}`, { headers, redirect: 'manual' });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}.`);
  return text.length;
}

/** Returns the number of lines that makes a static page as large as `bytes`, within 5 percent. */
async function linesFor(floor: MeasuredProgram, bytes: number): Promise<number> {
  const size = (lines: number) => sizeOf(floor, { method: 'GET', path: `/${lines}`, headers: {} });
  const [few, many] = [await size(10), await size(1_010)];
  const lines = Math.max(1, Math.round((bytes - few) / ((many - few) / 1_000)) + 10);
  const found = await size(lines);
  if (Math.abs(found / bytes - 1) > 0.05)
    throw new Error(`A static page has ${found} bytes instead of ${bytes}.`);
  return lines;
}
