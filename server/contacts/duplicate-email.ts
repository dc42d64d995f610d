import { contactName } from '#server/contacts/contact-record.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { Refusal, refusalIn } from '#server/core/errors.ts';

/** A contact who has an email address already, and what they are called: by their name, or by the address. */
export type EmailOwner = { id: string; name: string };

/**
 * The refusal of an address that another contact has. Answers of the API say its sentence alone, screens lead to the
 * owner.
 */
export class DuplicateEmail extends Refusal {
  readonly emailOwner: EmailOwner | null;

  constructor(sentence: string, emailOwner: EmailOwner | null) {
    super('invalid', sentence, { email: [sentence], email_duplicate: [sentence] });
    this.emailOwner = emailOwner;
  }
}

/**
 * The refusal of an address that another contact of the workspace has. It names that contact, or the address
 * itself if the contact has no name, under `email` and `email_duplicate` (spec.md §7; decisions: contacts, 12).
 * @param email lowercase
 */
export async function duplicateEmail(
  db: Db,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<DuplicateEmail> {
  const owner = await db.contact.findUnique({
    where: { workspaceId_email: { workspaceId, email } },
    select: { id: true, firstName: true, lastName: true },
  });
  const name = (owner && contactName(owner)) ?? email;
  return new DuplicateEmail(`This address already belongs to ${name}.`, owner && { id: owner.id, name });
}

/** Who has the address that a change was refused for; null when it was refused for something else. */
export function emailOwnerIn(error: unknown): EmailOwner | null {
  const refusal = refusalIn(error);
  return refusal && isDuplicateEmail(refusal) ? refusal.emailOwner : null;
}

/** Known by its field and not by its class, as Next has its own copy of that. */
function isDuplicateEmail(refusal: Refusal): refusal is DuplicateEmail {
  return 'emailOwner' in refusal;
}
