import { appendFile } from 'node:fs/promises';
import { loadavg } from 'node:os';

/** One side of a comparison: `measure` runs it once and returns its figures. */
export type Side<Figure extends string> = { name: string; measure: () => Promise<Record<Figure, number>> };

/** A target for our figure: absolute, or as a ratio to the side `to`. */
export type Bar = { to?: string; atLeast?: number; atMost?: number };

/** A figure that each side measures, with the bars for our side. */
export type FigureOf = { unit: string; bars?: Bar[] };

export type Comparison = {
  benchmark: string;
  figure: string;
  unit: string;
  medians: Record<string, number>;
  rounds: Record<string, number[]>;
  /** The first side's median divided by each other side's. */
  ratios: Record<string, number>;
  bars: (Bar & { reached: boolean })[];
  /** Load average of the machine over the last minute, read at the end. */
  load: number;
};

/**
 * Measures the sides in turn, alternating the order, so that other load on the machine slows all of them. For
 * each figure prints a table of medians and ranges, then JSON. Appends the JSON to the file `BENCH_JSON`, if
 * set.
 * @param sides ours first, then the floors
 */
export async function compare<Figure extends string>(
  benchmark: string,
  {
    rounds,
    figures,
    sides,
  }: { rounds: number; figures: Record<Figure, FigureOf>; sides: Side<NoInfer<Figure>>[] },
): Promise<void> {
  const measured = new Map<string, Record<Figure, number>[]>(sides.map(({ name }) => [name, []]));
  // The database is slower at first and speeds up with each run. So the first run does not count, and each
  // side is equally often the later one.
  if (sides.length > 1) await sides[0]?.measure();
  for (let round = 0; round < rounds; round += 1) {
    const inTurn = round % 2 === 0 ? sides : sides.toReversed();
    for (const { name, measure } of inTurn) measured.get(name)?.push(await measure());
  }
  for (const [figure, { unit, bars = [] }] of Object.entries<FigureOf>(figures)) {
    const values = [...measured].map(
      ([name, each]) => [name, each.map((one) => one[figure as Figure])] as const,
    );
    const medians = Object.fromEntries(values.map(([name, each]) => [name, median(each)]));
    const ours = medians[sides[0]?.name ?? ''] ?? 0;
    const others = sides.slice(1).map(({ name }) => name);
    const ratios = Object.fromEntries(others.map((name) => [name, ours / (medians[name] ?? 1)]));
    // A bar may refer to a side that this run leaves out.
    const meant = bars.filter(({ to }) => to === undefined || others.includes(to));
    const judged = meant.map((bar) => ({
      ...bar,
      reached: isReached(bar, bar.to === undefined ? ours : (ratios[bar.to] ?? 0)),
    }));
    const [load = 0] = loadavg();
    const rows = Object.fromEntries(values);
    const result = { benchmark, figure, unit, medians, rounds: rows, ratios, bars: judged, load };
    print(result);
    if (process.env.BENCH_JSON) await appendFile(process.env.BENCH_JSON, `${JSON.stringify(result)}\n`);
  }
}

function isReached({ atLeast, atMost }: Bar, value: number): boolean {
  return value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY);
}

function print(result: Comparison): void {
  const { benchmark, figure, unit, medians, rounds, ratios, bars } = result;
  console.log(`\n${benchmark}: ${figure}, ${unit}`);
  for (const [name, values] of Object.entries(rounds)) {
    const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}, ${values.length} rounds`;
    console.log(`  ${name.padEnd(48)} ${(medians[name] ?? 0).toFixed(1).padStart(10)}   (${range})`);
  }
  for (const [name, ratio] of Object.entries(ratios)) {
    console.log(`  ${`ratio to: ${name}`.padEnd(48)} ${ratio.toFixed(2).padStart(10)}`);
  }
  for (const { to, atLeast, atMost, reached } of bars) {
    const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
    const of = to === undefined ? unit : `of: ${to}`;
    console.log(`  ${reached ? 'reached' : 'FELL SHORT'}: ${bound} ${of}`);
  }
  console.log(JSON.stringify(result));
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (place: number) => sorted[place] ?? 0;
  const middle = (sorted.length - 1) / 2;
  return (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
}
