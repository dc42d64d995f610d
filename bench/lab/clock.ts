/** Returns a monotonic time that all processes of this machine share, in ms. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Returns the value below which the given share of the values lies. `share`: 0 to 1. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
