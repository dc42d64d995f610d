import { log } from '#server/core/log.ts';
import { processState } from '#server/core/process-state.ts';

/** Maximum number of cached profiles. */
const PEOPLE_MAX = 1_000;
/** Time to live of a result, in ms. Providers limit how often a profile may be requested. */
const TTL_MS = 600_000;
/** Time to live of a failed lookup, in ms. Until then, the person's messages do not wait for the provider again. */
const FAILED_TTL_MS = 60_000;
/** Timeout of a lookup, in ms. The message waits for it. */
const TIMEOUT_MS = 3_000;

const people = processState(() => new Map<string, { person: unknown; expiresAt: number }>());

/**
 * Returns a person's profile, from the cache or from the provider. A failed lookup returns null, as a message must not
 * fail because of a name.
 * @param person the account and the provider's id of the person
 * @param request requests the profile; must stop when the signal aborts
 */
export async function lookUpPerson<Profile>(
  { accountId, personId }: { accountId: string; personId: string },
  request: (signal: AbortSignal) => Promise<Profile | null>,
): Promise<Profile | null> {
  const cache = people();
  const key = `${accountId}:${personId}`;
  const cached = cache.get(key);
  // A key belongs to one account, so all its profiles have one type.
  if (cached && cached.expiresAt > Date.now()) return cached.person as Profile | null;
  const { person, ttlMs } = await request(AbortSignal.timeout(TIMEOUT_MS)).then(
    (found) => ({ person: found, ttlMs: TTL_MS }),
    (error: unknown) => {
      log().warn({ err: error, accountId }, 'person.not_looked_up');
      return { person: null, ttlMs: FAILED_TTL_MS };
    },
  );
  cache.delete(key);
  cache.set(key, { person, expiresAt: Date.now() + ttlMs });
  const [oldest] = cache.keys();
  if (cache.size > PEOPLE_MAX && oldest !== undefined) cache.delete(oldest);
  return person;
}
