import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit, type Tx } from '#server/core/database/db.ts';
import { publish } from '#server/core/live/publish.ts';

/**
 * Of someone whose account is being deleted, turns the replies that are not sent yet into internal notes, in every
 * workspace: their rows would go with the account, and what was written with them. The notes are the service's own,
 * which is why every plan has them.
 */
export async function noteUnsentReplies(tx: Tx, author: Teammate): Promise<void> {
  const noted = await tx.$queryRaw<{ workspaceId: string }[]>`
    with unsent as (
      delete from pending_replies where author_id = ${author.id}::uuid
      returning workspace_id, conversation_id, content
    )
    insert into notes (id, workspace_id, conversation_id, author_kind, content, created_at)
    select gen_random_uuid(), workspace_id, conversation_id, 'automatic', ${noteAbout(author.name)} || content, now()
    from unsent
    returning workspace_id as "workspaceId"`;
  for (const workspaceId of new Set(noted.map((note) => note.workspaceId))) {
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  }
}

function noteAbout(name: string): string {
  return `The account of ${name} was deleted before this reply was sent:\n\n`;
}
