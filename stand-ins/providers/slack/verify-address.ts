import { randomBytes } from 'node:crypto';
import { isRecord, parseJson } from '../../http/bodies.ts';
import { uuid } from '../make-ids.ts';
import type { Verification } from '../meta/verify-address.ts';
import { changed, type Providers } from '../providers.ts';
import { type Account, addNewest, keyOf } from '../state.ts';
import { writeHeaders } from '../webhooks/write-webhook.ts';

const TIMEOUT_MS = 3_000;

/**
 * Checks a request URL as Slack does: the URL must return the challenge, as plain text or in JSON.
 * @see https://docs.slack.dev/reference/events/url_verification
 */
export async function verifySlackAddress(
  providers: Providers,
  account: Account,
  address: string,
): Promise<Verification> {
  const challenge = randomBytes(24).toString('base64url');
  const body = JSON.stringify({ token: 'unused-verification-token', challenge, type: 'url_verification' });
  const headers = writeHeaders(account, body, 0, '');
  const at = new Date();
  let status: number | null = null;
  let text = '';
  let problem: string | null = null;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal });
    status = response.status;
    text = await response.text();
  } catch (error) {
    problem = error instanceof Error ? error.message : 'unknown';
  }
  const attempts = [{ at, status, problem }];
  const call = {
    id: uuid(),
    account: keyOf(account),
    method: 'POST' as const,
    url: address,
    headers,
    body,
    attempts,
  };
  addNewest(providers.state.webhookCalls, call);
  changed(providers);
  const parsed = parseJson(text);
  const repeated = isRecord(parsed) ? parsed.challenge : text.trim();
  if (status !== 200 || repeated !== challenge) {
    return { ok: false, message: "Your URL didn't respond with the value of the challenge parameter." };
  }
  account.address = address;
  return { ok: true, message: 'The address is verified and now receives events.' };
}
