import { mergedAddressOwner } from '#server/contacts/contact-with-email.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Serializes changes of addresses and merges of contacts in a workspace: two contacts that swap addresses
 * would deadlock at the unique index.
 * @param email lowercase
 * @returns the contact that has the address by a merge, or null
 */
export async function lockAddresses(
  tx: Tx,
  { workspaceId, email }: { workspaceId: string; email?: string },
): Promise<string | null> {
  const owner = email === undefined ? Prisma.sql`null::uuid` : mergedAddressOwner({ workspaceId, email });
  const [row] = await tx.$queryRaw<{ owner: string | null }[]>`
    select pg_advisory_xact_lock(hashtextextended('contact addresses ' || ${workspaceId}, 0))::text, ${owner} as owner`;
  return row?.owner ?? null;
}
