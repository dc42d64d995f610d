import { log } from '#server/core/log.ts';
import { unreadableMail } from '#server/inbox/incoming-mail/unreadable-mail.ts';
import { runMailTask } from '#server/inbox/mail-parser/mail-task.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';

/**
 * Reads a mail, however hostile: what cannot be parsed within the limits is shown by its headers and a note.
 * @param envelopeFrom as the sending server gave it; undefined when it is not known
 */
export async function readMail(raw: Uint8Array, envelopeFrom: string | undefined): Promise<ParsedMail> {
  const outcome = await runMailTask({ kind: 'parse', raw, envelopeFrom });
  if (outcome.kind === 'done') return outcome.value;
  log().warn({ bytes: raw.byteLength, outcome: outcome.kind, reason: outcome.reason }, 'mail.not_parsed');
  return unreadableMail(raw, envelopeFrom);
}
