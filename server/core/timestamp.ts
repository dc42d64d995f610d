/** A time as the contract writes it: milliseconds and `+00:00`, never `Z` (decisions: values, 2). */
export function timestamp(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}

/** The same for a time that may be missing. */
export function timestampOrNull(date: Date | null): string | null {
  return date === null ? null : timestamp(date);
}
