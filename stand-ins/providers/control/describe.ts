import type { Mail } from '../mail/mail-state.ts';
import { castOf } from '../people.ts';
import { type Account, type Chat, keyOf } from '../state.ts';

/** Returns an account for the control API, including its credentials, which are demo values. */
export function describeAccount(account: Account) {
  const { channel, externalId, name, workspace, token, secret, verifyToken, address, switches } = account;
  return {
    key: keyOf(account),
    channel,
    external_id: externalId,
    name,
    workspace,
    token,
    secret,
    verify_token: verifyToken,
    business_account_id: account.businessAccountId,
    page_id: account.pageId,
    username: account.username,
    phone: account.phone,
    slack: account.slack,
    address,
    switches: {
      window: switches.window,
      refuse_next: switches.refuseNext,
      refuse_all: switches.refuseAll,
      late_failure: switches.lateFailure,
      times: switches.times,
      reversed: switches.reversed,
      receipts: switches.receipts,
      token_valid: switches.tokenValid,
    },
    cast: castOf(account),
  };
}

/** Returns a chat with its messages, oldest first. */
export function describeChat({ key, person, place, messages }: Chat) {
  return { key, person, place, messages };
}

/** Returns a mail without the content of its files. */
export function describeMail({ id, direction, at, envelope, email, raw, answer, accepted }: Mail) {
  return {
    id,
    direction,
    at,
    envelope,
    answer,
    accepted,
    size: raw.length,
    from: email.from ?? null,
    to: email.to ?? [],
    cc: email.cc ?? [],
    reply_to: email.replyTo ?? [],
    subject: email.subject ?? '',
    message_id: email.messageId ?? null,
    in_reply_to: email.inReplyTo ?? null,
    references: email.references ?? null,
    text: email.text ?? '',
    html: email.html ?? null,
    headers: email.headers,
    files: email.attachments.map(({ filename, mimeType, disposition }) => ({
      name: filename,
      type: mimeType,
      disposition,
    })),
  };
}
