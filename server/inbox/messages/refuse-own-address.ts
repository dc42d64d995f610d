import type { Db } from '#server/core/database/db.ts';
import { invalid } from '#server/core/errors.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { parseSignedAddress } from '#server/inbox/channels/email/signed-address.ts';

/** What an address is that is not a contact's, as the end of a sentence. */
const OWN = {
  mailbox: 'is one of this workspace’s own',
  teammate: 'belongs to a teammate of this workspace',
};

type Owner = keyof typeof OWN;

/**
 * Refuses an address that leads back to the workspace: a mailbox, a reply or bounce address, or a teammate's
 * (docs/spec.md §4.2, POST /conversations; docs/rulings.md 3.30).
 * @param owner of the address, as `addressOwner` finds it
 */
export function refuseOwnAddress(owner: Owner | null): void {
  if (!owner) return;
  const message = `The recipient’s email address (to_email) ${OWN[owner]}. Give the address of a contact.`;
  throw invalid({ to_email: [message] });
}

/**
 * Whose an address is that cannot be a contact's: a mailbox of the workspace, a teammate, or no one's (undefined).
 * @param email lowercase
 */
export async function findAddressOwner(
  db: Db,
  which: { workspaceId: string; email: string },
): Promise<Owner | undefined> {
  const [found] = await db.$queryRaw<{ owner: Owner }[]>(addressOwner(which));
  return found?.owner;
}

/** SQL of the same, as `owner`. A forged reply or bounce address counts as well: the service refuses mail to it. */
export function addressOwner({ workspaceId, email }: { workspaceId: string; email: string }): Prisma.Sql {
  const isSigned = parseSignedAddress(email) !== undefined;
  const domain = email.slice(email.lastIndexOf('@'));
  return Prisma.sql`
    select 'mailbox' as owner from mailboxes
    where workspace_id = ${workspaceId}::uuid
      and (address = ${email} or (${isSigned}::boolean and right(address, length(${domain}::text)) = ${domain}::text))
    union all
    select 'teammate' from users u join members m on m.user_id = u.id
    where u.email = ${email} and m.workspace_id = ${workspaceId}::uuid`;
}
