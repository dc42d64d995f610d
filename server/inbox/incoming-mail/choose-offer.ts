import type { SqlDb } from '#server/core/database/sql.ts';
import { senderName } from '#server/inbox/incoming-mail/sender-name.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import type { NewOffer } from '#server/inbox/messages/incoming-message.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';

/**
 * Chooses the person that a new conversation offers as its contact (docs/rulings.md 3.44): the sender of the
 * mail that a verified teammate or one of our mailboxes forwarded, or the address in a form without Reply-To. Our own addresses are skipped, as in the
 * forward of a forward.
 */
export async function chooseOffer(
  db: SqlDb,
  received: { workspaceId: string; mail: ParsedMail; isForm: boolean; isTeammate: boolean },
): Promise<NewOffer | null> {
  const { workspaceId, mail, isForm, isTeammate } = received;
  const forwarded =
    isForm || isTeammate ? mail.forwarded.map((person) => ({ ...person, kind: 'forward' as const })) : [];
  const typed = isForm && mail.formEmail !== null ? [{ ...mail.formEmail, kind: 'form' as const }] : [];
  for (const { name, address: email, kind } of [...forwarded, ...typed]) {
    if (email === mail.from?.address || (await findAddressOwner(db, { workspaceId, email }))) continue;
    const { firstName = null, lastName = null } = senderName(name) ?? {};
    return { kind, email, firstName, lastName };
  }
  return null;
}
