import { RequestProblem } from '#server/http/response/request-problem.ts';

/** How much of bodies a process holds in memory, in bytes. */
export const BODY_BUDGET_BYTES = 128 * 1024 * 1024;
/** A body of which so much or more is held is large; all large ones together leave a quarter to the others. */
const LARGE_BYTES = 128 * 1024;
const LARGE_SHARE = 0.75;

const shared = globalThis as typeof globalThis & { serviceBodyBytes?: number };

/**
 * Reserves memory for a body, or for more of one.
 * @returns gives it back; may be called twice
 * @throws RequestProblem `503` when the process holds too much
 */
export function holdBodyBytes(bytes: number): () => void {
  const held = shared.serviceBodyBytes ?? 0;
  const budget = bytes >= LARGE_BYTES ? BODY_BUDGET_BYTES * LARGE_SHARE : BODY_BUDGET_BYTES;
  if (held + bytes > budget) {
    throw new RequestProblem(
      503,
      'The service is receiving too much data at the moment. Try again in a few seconds.',
      5,
    );
  }
  shared.serviceBodyBytes = held + bytes;
  let isHeld = true;
  return () => {
    if (isHeld) shared.serviceBodyBytes = (shared.serviceBodyBytes ?? 0) - bytes;
    isHeld = false;
  };
}
