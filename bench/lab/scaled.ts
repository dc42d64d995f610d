const SCALE = Number(process.env.BENCH_SCALE ?? 1);

/**
 * Scales the size of a benchmark by `BENCH_SCALE`. A tenth shows that it runs, but yields no meaningful
 * figures.
 */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * SCALE));
}
