/**
 * Returns the message of a refusal, or a generic message for internal errors. Recognizes refusals by their fields,
 * not by class, because server modules may be loaded twice in the process.
 */
export function errorMessage(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('refusal' in current) return current.message;
    if ('code' in current && refusalCodes.has(current.code)) return current.message;
  }
  return 'Something went wrong on our side. Try again in a minute.';
}

/** tRPC codes whose messages teammates may read. */
const refusalCodes = new Set<unknown>([
  'UNAUTHORIZED',
  'PAYMENT_REQUIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'UNPROCESSABLE_CONTENT',
  'TOO_MANY_REQUESTS',
]);
