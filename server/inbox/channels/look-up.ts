import { log } from '#server/core/log.ts';
import { processState } from '#server/core/process-state.ts';

/** Maximum number of cached results. */
const RESULTS_MAX = 1_000;
/** Time to live of a result, in ms. Providers limit how often it may be requested. */
const TTL_MS = 600_000;
/** Time to live of a failed lookup, in ms. Until then, messages do not wait for the provider again. */
const FAILED_TTL_MS = 60_000;
/** Timeout of a lookup, in ms. The message waits for it. */
const TIMEOUT_MS = 3_000;

const results = processState(() => new Map<string, { found: unknown; expiresAt: number }>());

/**
 * Returns a detail of a message that only the provider has, such as its author's profile, from the cache or from the
 * provider. A failed lookup returns null, as a message must not fail because of a name.
 * @param of the account and the provider's id of what is looked up, unique in the account
 * @param request requests it; must stop when the signal aborts
 */
export async function lookUp<Result>(
  { accountId, id }: { accountId: string; id: string },
  request: (signal: AbortSignal) => Promise<Result | null>,
): Promise<Result | null> {
  const cache = results();
  const key = `${accountId}:${id}`;
  const cached = cache.get(key);
  // An id names one thing of an account, so all its results have one type.
  if (cached && cached.expiresAt > Date.now()) return cached.found as Result | null;
  const { found, ttlMs } = await request(AbortSignal.timeout(TIMEOUT_MS)).then(
    (result) => ({ found: result, ttlMs: TTL_MS }),
    (error: unknown) => {
      log().warn({ err: error, accountId }, 'provider.not_looked_up');
      return { found: null, ttlMs: FAILED_TTL_MS };
    },
  );
  cache.delete(key);
  cache.set(key, { found, expiresAt: Date.now() + ttlMs });
  const [oldest] = cache.keys();
  if (cache.size > RESULTS_MAX && oldest !== undefined) cache.delete(oldest);
  return found;
}
