import { validate as isUuid } from 'uuid';
import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

const OWNER = contactIdWithEmail({
  workspaceId: Prisma.sql`p.workspace_id`,
  email: Prisma.sql`p.claimed_email`,
});

/** An address that the contact of a conversation claims, and the contact who has it. */
export type Claim = { contactId: string; email: string; ownerId: string | null };

/** Returns the claim of a conversation's contact; undefined without one. */
export async function findClaim(
  db: SqlDb,
  { workspaceId, conversationId }: { workspaceId: string; conversationId: string },
): Promise<Claim | undefined> {
  if (!isUuid(conversationId)) return undefined;
  const [claim] = await db.$queryRaw<Claim[]>`
    select p.id as "contactId", p.claimed_email as email, ${OWNER} as "ownerId"
    from conversations c
    join contacts p on p.workspace_id = c.workspace_id and p.id = c.contact_id and p.claimed_email is not null
      and p.email is null
    where c.workspace_id = ${workspaceId}::uuid and c.id = ${conversationId}::uuid and c.contact_claimed`;
  return claim;
}
