/** Whether a unique index refused what was written: somebody else had it first. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P2002';
}
