import type { SqlDb } from '#server/core/database/sql.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { findOwnAddresses, leadsTo } from '#server/inbox/channels/email/own-addresses.ts';

/** Reason why an address cannot be a contact's, as the end of a sentence. */
const OWN = {
  mailbox: 'is one of this workspace’s own',
  teammate: 'belongs to a teammate of this workspace',
};

type Owner = keyof typeof OWN;

/**
 * Refuses an address that leads back to the workspace: that of a mailbox, also with a subaddress, or of a teammate, or a
 * reply or bounce address (docs/spec.md §4.2, POST /conversations; docs/rulings.md 3.30).
 * @param owner the result of `addressOwner`
 * @throws Refusal
 */
export function refuseOwnAddress(owner: Owner | null): void {
  if (!owner) return;
  const message = `The recipient’s email address (to_email) ${OWN[owner]}. Give the address of a contact.`;
  throw invalid({ to_email: [message] });
}

/**
 * Refuses copies to addresses that lead back to the workspace: each would come back as an email to the same conversation.
 * @throws Refusal under `cc` or `bcc`
 */
export async function refuseOwnCopies(
  db: SqlDb,
  { workspaceId, cc, bcc }: { workspaceId: string; cc: string[]; bcc: string[] },
): Promise<void> {
  const own = await findOwnAddresses(db, { workspaceId, addresses: [...cc, ...bcc] });
  for (const [field, addresses] of Object.entries({ cc, bcc })) {
    const [found] = addresses.filter((address) => own.has(address));
    if (found)
      throw invalid({ [field]: [`“${shownEmail(found)}” leads back to this workspace. Remove it.`] });
  }
}

/**
 * Returns whether an address belongs to a mailbox or a teammate of the workspace; undefined for neither.
 * @param email lowercase
 */
export async function findAddressOwner(
  db: SqlDb,
  which: { workspaceId: string; email: string },
): Promise<Owner | undefined> {
  const [found] = await db.$queryRaw<{ owner: Owner }[]>(addressOwner(which));
  return found?.owner;
}

/**
 * Returns the query of `findAddressOwner`, with the column `owner`. For mailboxes it has the rule of `leadsBack`: a forged reply
 * or bounce address counts too, because the service refuses mail to it.
 */
export function addressOwner({ workspaceId, email }: { workspaceId: string; email: string }): Prisma.Sql {
  return Prisma.sql`
    select 'mailbox' as owner from mailboxes
    where workspace_id = ${workspaceId}::uuid and ${leadsTo(email)}
    union all
    select 'teammate' from users u join members m on m.user_id = u.id
    where u.email = ${email} and m.workspace_id = ${workspaceId}::uuid`;
}
