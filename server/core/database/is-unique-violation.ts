/** As the data layer says it, and as PostgreSQL does. */
const CODES = new Set<unknown>(['P2002', '23505']);

/** Whether a unique index refused what was written: someone else had it first. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(error.code);
}
