/**
 * The sentence a procedure refused with, or a fixed one when the fault is ours. A refusal is known by its fields,
 * not by its class, because the server's modules may exist twice in the process.
 */
export function errorMessage(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('refusal' in current) return current.message;
    if ('code' in current && refusalCodes.has(current.code)) return current.message;
  }
  return 'Something went wrong on our side. Nothing was changed. Try again in a minute.';
}

/** What tRPC calls the refusals that a teammate may read. */
const refusalCodes = new Set<unknown>([
  'UNAUTHORIZED',
  'PAYMENT_REQUIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'UNPROCESSABLE_CONTENT',
  'TOO_MANY_REQUESTS',
]);
