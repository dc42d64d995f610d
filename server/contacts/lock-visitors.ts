import type { SqlDb } from '#server/core/database/sql.ts';

/** Locks the contact's visitors, so that no message of theirs starts a conversation in the meantime. */
export async function lockVisitors(
  tx: SqlDb,
  { workspaceId, contactId }: { workspaceId: string; contactId: string },
): Promise<void> {
  await tx.$executeRaw`
    select from visitors where workspace_id = ${workspaceId}::uuid and contact_id = ${contactId}::uuid
    order by token_hash for no key update`;
}
