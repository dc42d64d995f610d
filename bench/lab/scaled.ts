const SCALE = Number(process.env.BENCH_SCALE ?? 1);

/** How much a benchmark does, times `BENCH_SCALE`: a tenth of it shows whether it runs, and no figure that counts. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * SCALE));
}
