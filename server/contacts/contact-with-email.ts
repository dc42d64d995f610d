import { Prisma } from '#server/generated/prisma/client.ts';

/** Values, or columns of the query. */
type Address = { workspaceId: string | Prisma.Sql; email: string | Prisma.Sql };

/**
 * Returns the SQL expression of the id of the contact with an email address, or null. Prefers the contact
 * whose `email` it is; the address of a merged contact belongs to the contact that remains.
 * @param email lowercase
 */
export function contactIdWithEmail({ workspaceId, email }: Address): Prisma.Sql {
  return Prisma.sql`coalesce(
    (select id from contacts where workspace_id = ${workspaceId}::uuid and email = ${email}::text),
    ${mergedAddressOwner({ workspaceId, email })})`;
}

/** Returns the SQL expression of the id of the contact that has the address by a merge, or null. */
export function mergedAddressOwner({ workspaceId, email }: Address): Prisma.Sql {
  return Prisma.sql`(
    select contact_id from contact_identities
    where workspace_id = ${workspaceId}::uuid and channel = 'email' and scope = '' and external_id = ${email}::text)`;
}
