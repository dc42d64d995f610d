import { createHmac, timingSafeEqual } from 'node:crypto';

/** How a provider hands a mail over, besides the mail itself; all of it is signed. */
export type PostedEnvelope = {
  /** Seconds since 1970. */
  timestamp: string;
  from: string;
  /** Recipients, separated by commas. */
  to: string;
  /** The address of the server that brought the mail, for SPF; empty when the provider does not say. */
  ip: string;
};

/** So many seconds a signature holds: clocks differ, and what was overheard is soon worth nothing. */
const SIGNATURE_SECONDS = 300;

/** What is signed: each part on a line, then the mail as it is. */
export function signPostedMail(
  secret: string,
  { timestamp, from, to, ip }: PostedEnvelope,
  body: Uint8Array,
): string {
  const digest = createHmac('sha256', secret).update(`${timestamp}\n${from}\n${to}\n${ip}\n`).update(body);
  return `sha256=${digest.digest('hex')}`;
}

/** Whether a mail was posted by who knows the secret, just now. */
export function isPostedMailSigned(
  secret: string,
  given: { envelope: PostedEnvelope; body: Uint8Array; signature: string; now: Date },
): boolean {
  const { envelope, body, signature, now } = given;
  if (!/^\d{1,12}$/.test(envelope.timestamp)) return false;
  if (Math.abs(now.getTime() / 1_000 - Number(envelope.timestamp)) > SIGNATURE_SECONDS) return false;
  const expected = Buffer.from(signPostedMail(secret, envelope, body));
  const claimed = Buffer.from(signature.slice(0, 2 * expected.length));
  return claimed.length === expected.length && timingSafeEqual(claimed, expected);
}
