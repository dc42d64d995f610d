import { randomInt } from 'node:crypto';
import { uuid } from '../make-ids.ts';
import { changed, type Providers } from '../providers.ts';
import { type Account, keepNewest, keyOf } from '../state.ts';

const TIMEOUT_MS = 5_000;

/** How a provider's check of an address ended. */
export type Verification = { ok: boolean; message: string };

/**
 * Meta's "Verify and save": the address must repeat the challenge when the verify token is right.
 * @see https://developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests
 */
export async function verifyMetaAddress(
  providers: Providers,
  account: Account,
  address: string,
  verifyToken: string,
): Promise<Verification> {
  const challenge = String(randomInt(100_000_000, 2_000_000_000));
  const url = new URL(address);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.challenge', challenge);
  url.searchParams.set('hub.verify_token', verifyToken);
  const at = new Date();
  const { status, text, problem } = await ask(url);
  keepNewest(providers.state.webhookCalls, {
    id: uuid(),
    account: keyOf(account),
    method: 'GET',
    // The token stays out of what the pages show.
    url: address,
    headers: {},
    body: '',
    attempts: [{ at, status, problem }],
  });
  changed(providers);
  if (status !== 200 || text !== challenge) {
    const why = problem ?? (status === 200 ? 'it did not repeat the challenge' : `it answered ${status}`);
    return { ok: false, message: `The callback URL or verify token couldn't be validated: ${why}.` };
  }
  account.address = address;
  account.verifyToken = verifyToken;
  return { ok: true, message: 'The address is verified. Updates go there from now on.' };
}

async function ask(url: URL): Promise<{ status: number | null; text: string; problem: string | null }> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, text: await response.text(), problem: null };
  } catch (error) {
    return { status: null, text: '', problem: error instanceof Error ? error.message : 'unknown' };
  }
}
