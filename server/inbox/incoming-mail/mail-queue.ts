import { createHmac } from 'node:crypto';
import { settings } from '#server/core/env.ts';
import { addressKey } from '#server/core/limits/address-key.ts';
import type { StoredMail } from '#server/inbox/incoming-mail/store-mail.ts';
import { organizationOf, senderDomain } from '#server/inbox/mail-parser/sender-domain.ts';
import type { SenderLookups } from '#server/inbox/mail-parser/sender-lookups.ts';

/** Maximum number of mails per domain in parallel, over all workers: half of the parser processes of one worker. */
const MAILS_PER_DOMAIN = 2;
/**
 * Number of groups of senders, each with its own queues. Queues are never removed, and fetching a job locks every idle
 * queue, in 2 µs and 64 bytes of WAL each. So a queue for each sender would let anonymous mail slow down the worker.
 */
const GROUPS = 128;

/**
 * Returns the queue of a mail. Jobs of a queue run one after the other, so a sender has `MAILS_PER_DOMAIN` queues, which
 * it shares with one in `GROUPS` other senders. The digest is keyed, so that an attacker cannot choose a domain that
 * shares the queues of another.
 *
 * A sender is a domain that SPF confirms, otherwise a domain with its sending server, and the two kinds share no queue:
 * otherwise an attacker could delay the mail of any domain.
 */
export function mailQueue(
  updateId: string,
  envelope: StoredMail['envelope'],
  { spfPassed }: Pick<SenderLookups, 'spfPassed'>,
): string {
  const sender = [organizationOf(senderDomain(envelope))];
  if (!spfPassed) sender.push(addressKey(envelope.ip ?? ''));
  const digest = createHmac('sha256', settings().SESSION_SECRET).update(sender.join('\n')).digest();
  const group = digest.readUInt32BE() % GROUPS;
  const slot = Number.parseInt(updateId.slice(-4), 16) % MAILS_PER_DOMAIN;
  return `receive-mail:${spfPassed ? 'confirmed' : 'unconfirmed'}:${group}:${slot}`;
}
