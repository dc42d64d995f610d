import { contactName } from '#server/contacts/contact-record.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { Refusal, refusalIn } from '#server/core/errors.ts';

/** A contact with an email address. `name` is the contact's name, or else the address. */
export type EmailOwner = { id: string; name: string };

/**
 * The refusal of an address of another contact. API responses only contain the message; screens link to the
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
 * Returns the refusal of an address of another contact, under `email` and `email_duplicate`. Names the
 * contact, or the address if the contact has no name (docs/spec.md §7, docs/rulings.md 3.12).
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

/** Returns the owner of the address if the error is a refused duplicate; otherwise null. */
export function emailOwnerIn(error: unknown): EmailOwner | null {
  const refusal = refusalIn(error);
  return refusal && isDuplicateEmail(refusal) ? refusal.emailOwner : null;
}

// Checks a field instead of the class, because Next bundles its own copy of the class.
function isDuplicateEmail(refusal: Refusal): refusal is DuplicateEmail {
  return 'emailOwner' in refusal;
}
