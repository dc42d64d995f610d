/** Says how often an event came, when it came more than once. */
export function describeRepeats(times: number): string | null {
  if (times < 2) return null;
  return times === 2 ? 'received twice' : `received ${times} times`;
}
