import { writeFile } from 'node:fs/promises';

/** One side of a comparison: does it once, and returns what was measured. */
export type Side = { name: string; measure: () => Promise<number> };

export type Comparison = {
  benchmark: string;
  unit: string;
  /** Medians, by side. */
  medians: Record<string, number>;
  rounds: Record<string, number[]>;
  /** The first side's median by each other's. */
  ratios: Record<string, number>;
};

/**
 * Measures the sides in turn, round after round, so that a busy machine slows all of them down, and prints the medians as
 * a table and the whole as JSON, also into the file that `BENCH_JSON` names.
 * @param sides ours first, then its floors
 */
export async function compare(
  benchmark: string,
  { unit, rounds, sides }: { unit: string; rounds: number; sides: Side[] },
): Promise<Comparison> {
  const measured = new Map<string, number[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, measure } of sides) measured.get(name)?.push(await measure());
  }
  const medians = Object.fromEntries([...measured].map(([name, values]) => [name, median(values)]));
  const ours = medians[sides[0]?.name ?? ''] ?? 0;
  const others = sides.slice(1).map(({ name }) => name);
  const result: Comparison = {
    benchmark,
    unit,
    medians,
    rounds: Object.fromEntries(measured),
    ratios: Object.fromEntries(others.map((name) => [name, ours / (medians[name] ?? 1)])),
  };
  console.log(`\n${benchmark}, ${unit}`);
  for (const [name, values] of measured) {
    const each = values.map((value) => value.toFixed(1)).join(', ');
    console.log(`  ${name.padEnd(48)} ${(medians[name] ?? 0).toFixed(1).padStart(10)}   (${each})`);
  }
  for (const [name, ratio] of Object.entries(result.ratios)) {
    console.log(`  ${`ratio to: ${name}`.padEnd(48)} ${ratio.toFixed(2).padStart(10)}`);
  }
  console.log(JSON.stringify(result));
  if (process.env.BENCH_JSON) await writeFile(process.env.BENCH_JSON, `${JSON.stringify(result)}\n`);
  return result;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
