import type { SqlDb } from '#server/core/database/sql.ts';
import { senderName } from '#server/inbox/incoming-mail/sender-name.ts';
import type { ParsedMail } from '#server/inbox/mail-parser/parsed-mail.ts';
import type { NewOffer } from '#server/inbox/messages/incoming-message.ts';
import { findAddressOwner } from '#server/inbox/messages/refuse-own-address.ts';

/**
 * Chooses the person that a new conversation offers as its contact (docs/rulings.md 3.44): the sender of the
 * mail that a verified teammate forwarded, or the address in a form without Reply-To. Our own addresses are skipped, as in the
 * forward of a forward.
 */
export async function chooseOffer(
  db: SqlDb,
  received: { workspaceId: string; mail: ParsedMail; isForm: boolean; isTeammate: boolean },
): Promise<NewOffer | null> {
  const { workspaceId, mail, isForm, isTeammate } = received;
  const forwarded = isTeammate ? mail.forwarded : [];
  const typed = mail.formEmail === null ? [] : [mail.formEmail];
  for (const { name, address: email } of isForm ? typed : forwarded) {
    if (email === mail.from?.address || (await findAddressOwner(db, { workspaceId, email }))) continue;
    const { firstName = null, lastName = null } = senderName(name) ?? {};
    return { kind: isForm ? 'form' : 'forward', email, firstName, lastName };
  }
  return null;
}
