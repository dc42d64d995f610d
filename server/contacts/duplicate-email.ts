import { contactName } from '#server/contacts/contact-record.ts';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
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
  db: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<DuplicateEmail> {
  const owner = await findEmailOwner(db, { workspaceId, email });
  const name = (owner && contactName(owner)) ?? email;
  return new DuplicateEmail(`This address already belongs to ${name}.`, owner && { id: owner.id, name });
}

/** Returns the contact with this address, its own or that of a contact merged into it; or null. */
export async function findEmailOwner(
  db: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<{ id: string; firstName: string | null; lastName: string | null } | null> {
  const [owner] = await db.$queryRaw<{ id: string; firstName: string | null; lastName: string | null }[]>`
    select id, first_name as "firstName", last_name as "lastName" from contacts
    where workspace_id = ${workspaceId}::uuid and id = ${contactIdWithEmail({ workspaceId, email })}`;
  return owner ?? null;
}

/** Returns the owner of the address if the error is a refused duplicate; otherwise null. */
export function emailOwnerIn(error: unknown): EmailOwner | null {
  const refusal = refusalIn(error);
  return refusal instanceof DuplicateEmail ? refusal.emailOwner : null;
}
