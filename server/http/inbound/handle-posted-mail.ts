import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { Refusal } from '#server/core/errors.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { isWithin, refuseWebhook } from '#server/http/inbound/limit-webhooks.ts';
import { readBytes } from '#server/http/request/read-body.ts';
import { sendJson } from '#server/http/response/send-json.ts';
import { findAccount, noteReceived } from '#server/inbox/channels/accounts/find-account.ts';
import { findRecipient, type MailRecipient } from '#server/inbox/incoming-mail/find-recipient.ts';
import { TooMuchMail } from '#server/inbox/incoming-mail/limit-mail-bytes.ts';
import { SenderBlocked, storeMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { MAIL_MAX_BYTES, RECIPIENTS_MAX } from '#server/inbox/mail-parser/mail-limits.ts';

/** Path prefix for mail that an email provider posts, followed by the account id. */
export const POSTED_MAIL_PATH = '/webhooks/email/';

const ENVELOPE_MAX_LENGTH = 100_000;
const UNKNOWN = 'There is no account at this address.';

/**
 * Receives an email that a provider posts unchanged (`message/rfc822`), signed with the account's secret. The
 * email is stored before the `200` response, as in the SMTP listener. Unknown recipients are ignored; without
 * a known one, or from a blocked sender, the response is `422`.
 */
export async function handlePostedMail(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<void> {
  const address = String(req.headers[CLIENT_ADDRESS_HEADER] ?? '');
  if (!(await isWithin(res, 'webhook_address', address))) return;
  const isOpen = { channel: 'email', workspace: { deletedAt: null } } as const;
  const account = await findAccount(path.slice(POSTED_MAIL_PATH.length), isOpen);
  if (!account) return refuseWebhook(res, address, 404, UNKNOWN);
  const body = await readBytes(req, MAIL_MAX_BYTES);
  if (!body) return sendJson(res, 413, { message: 'An email can be up to 50 MB.' });
  const header = (name: string) => String(req.headers[name] ?? '').slice(0, ENVELOPE_MAX_LENGTH);
  const envelope = {
    from: header('x-envelope-from'),
    to: header('x-envelope-to'),
    ip: header('x-client-ip'),
    timestamp: header('x-timestamp'),
  };
  const secret = account.credentials.signing_secret ?? '';
  if (secret === '' || !isPostedMailSigned(secret, envelope, body, header('x-signature'))) {
    return refuseWebhook(res, address, 401, 'The signature is wrong, or older than five minutes.');
  }
  const recipients = await findRecipients(envelope.to, account.workspaceId);
  if (recipients.length === 0) {
    return sendJson(res, 422, { message: 'None of the recipients is a mailbox of this workspace.' });
  }
  try {
    const ip = isIP(envelope.ip) === 0 ? null : envelope.ip;
    await storeMail(Readable.from([body]), { envelope: { ip, helo: null, from: envelope.from }, recipients });
  } catch (error) {
    if (error instanceof TooMuchMail) {
      const headers = { 'Retry-After': String(error.retryAfterSeconds) };
      return sendJson(res, 429, { message: 'Too much mail from this sender.' }, headers);
    }
    if (error instanceof SenderBlocked) {
      return sendJson(res, 422, { message: 'The workspace does not accept mail from this sender.' });
    }
    if (!(error instanceof Refusal)) throw error;
    return sendJson(res, 507, { message: 'The workspace has no room for more files right now.' });
  }
  await noteReceived(account.id);
  sendJson(res, 200, {});
}

async function findRecipients(to: string, workspaceId: string): Promise<MailRecipient[]> {
  const found: MailRecipient[] = [];
  for (const address of to.split(',', RECIPIENTS_MAX)) {
    const recipient = await findRecipient(address);
    if (recipient?.workspaceId === workspaceId) found.push(recipient);
  }
  return found;
}

/** The provider's envelope of an email. All fields are signed. */
export type PostedEnvelope = {
  /** Seconds since the epoch. */
  timestamp: string;
  from: string;
  /** Comma-separated recipients. */
  to: string;
  /** The IP address of the sending server, for SPF; empty if unknown. */
  ip: string;
};

/** Validity of a signature in seconds: tolerates clock skew and limits replays. */
const SIGNATURE_SECONDS = 300;

/** Signs each envelope field on a line, then the unchanged email. */
export function signPostedMail(
  secret: string,
  { timestamp, from, to, ip }: PostedEnvelope,
  body: Uint8Array,
): string {
  const digest = createHmac('sha256', secret).update(`${timestamp}\n${from}\n${to}\n${ip}\n`).update(body);
  return `sha256=${digest.digest('hex')}`;
}

/** Returns whether the signature is right and recent. */
function isPostedMailSigned(
  secret: string,
  envelope: PostedEnvelope,
  body: Uint8Array,
  signature: string,
): boolean {
  if (!/^\d{1,12}$/.test(envelope.timestamp)) return false;
  if (Math.abs(Date.now() / 1_000 - Number(envelope.timestamp)) > SIGNATURE_SECONDS) return false;
  const expected = Buffer.from(signPostedMail(secret, envelope, body));
  const claimed = Buffer.from(signature.slice(0, 2 * expected.length));
  return claimed.length === expected.length && timingSafeEqual(claimed, expected);
}
