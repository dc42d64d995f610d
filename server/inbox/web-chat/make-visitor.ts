import { validate as isUuid } from 'uuid';
import { db } from '#server/core/database/db.ts';
import { newVisitorToken, visitorTokenHash } from '#server/inbox/web-chat/visitor-token.ts';

/**
 * Lets someone new into the web chat of a workspace. One statement.
 * @returns their token, or null when there is no such workspace
 */
export async function makeVisitor(workspaceId: string): Promise<string | null> {
  if (!isUuid(workspaceId)) return null;
  const token = newVisitorToken();
  const made = await db().$executeRaw`
    insert into visitors (token_hash, workspace_id)
    select ${visitorTokenHash(token)}::bytea, id from workspaces
    where id = ${workspaceId}::uuid and deleted_at is null`;
  return made === 1 ? token : null;
}
