import type { SqlDb } from '#server/core/database/sql.ts';

/** Finds the contact of earlier unverified mails from an address, unless they were linked or verified since. */
export async function findUnverifiedSender(
  tx: SqlDb,
  { workspaceId, email }: { workspaceId: string; email: string },
): Promise<string | undefined> {
  // Serializes the first mails of an address, so that they create one contact.
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`unverified:${workspaceId}:${email}`}, 0))`;
  const [sender] = await tx.$queryRaw<{ id: string }[]>`
    select p.id from contacts p
    where p.workspace_id = ${workspaceId}::uuid and p.claimed_email = ${email} and p.email is null and exists (
      select from conversations c
      where c.workspace_id = p.workspace_id and c.contact_id = p.id and c.channel = 'email')
    order by p.created_at limit 1`;
  return sender?.id;
}
