import { randomInt } from 'node:crypto';
import { uuid } from '../make-ids.ts';
import { changed, type Providers } from '../providers.ts';
import { type Account, addNewest, keyOf } from '../state.ts';

const TIMEOUT_MS = 5_000;

/** Result of a provider's check of an address. */
export type Verification = { ok: boolean; message: string };

/**
 * Does Meta's "Verify and save": checks that the address returns the challenge for this verify token.
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
  const { status, text, problem } = await request(url);
  addNewest(providers.state.webhookCalls, {
    id: uuid(),
    account: keyOf(account),
    method: 'GET',
    // Without the query: the pages must not show the verify token.
    url: address,
    headers: {},
    body: '',
    attempts: [{ at, status, problem }],
  });
  changed(providers);
  if (status !== 200 || text !== challenge) {
    const why =
      problem ?? (status === 200 ? 'it did not repeat the challenge' : `it responded with ${status}`);
    return { ok: false, message: `The callback URL or verify token couldn't be validated: ${why}.` };
  }
  account.address = address;
  account.verifyToken = verifyToken;
  return { ok: true, message: 'The address is verified and now receives updates.' };
}

async function request(url: URL): Promise<{ status: number | null; text: string; problem: string | null }> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { status: response.status, text: await response.text(), problem: null };
  } catch (error) {
    return { status: null, text: '', problem: error instanceof Error ? error.message : 'unknown' };
  }
}
