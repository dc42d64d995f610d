import { takeFrom } from '#server/core/limits/limits.ts';

/** Takes all that a connection may ask for within a minute, in a moment: the minute begins now. */
export async function useUpLimit(connectionId: string): Promise<void> {
  const first = await takeFrom('api', connectionId);
  const last = await takeFrom('api', connectionId, first.remaining);
  if (last.remaining !== 0) throw new Error(`So many are left: ${last.remaining}.`);
}
