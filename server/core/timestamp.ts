/** Formats a timestamp for the contract: with milliseconds and `+00:00`, never `Z` (docs/rulings.md 1.2). */
export function timestamp(date: Date): string {
  return date.toISOString().replace('Z', '+00:00');
}

export function timestampOrNull(date: Date | null): string | null {
  return date === null ? null : timestamp(date);
}
