/** A clock that all processes of this machine share, in milliseconds. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The value below which so great a share of these lies, 0 to 1. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
