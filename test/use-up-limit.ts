import { takeFrom } from '#server/ground/limits/limits.ts';

/** Takes all that a connection may ask for within a minute. */
export async function useUpLimit(connectionId: string): Promise<void> {
  for (;;) {
    const states = await Promise.all(Array.from({ length: 10 }, () => takeFrom('api', connectionId)));
    if (states.some((state) => state.remaining === 0)) return;
  }
}
