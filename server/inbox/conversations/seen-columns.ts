import { sql } from '#server/core/database/sql.ts';
import type { SeenColumns } from '#server/inbox/conversations/visible-conversations.ts';

/**
 * Returns the columns that decide who sees conversations, by id: those of the conversation that they were merged into, if any.
 * Unknown ids are missing. No statement without ids.
 */
export async function findSeenColumns({
  workspaceId,
  ids,
}: {
  workspaceId: string;
  ids: string[];
}): Promise<Map<string, SeenColumns>> {
  if (ids.length === 0) return new Map();
  const found = await sql().$queryRaw<(SeenColumns & { id: string })[]>`
    select c.id, t.assignee_id as "assigneeId", t.team_id as "teamId", t.mailbox_id as "mailboxId",
      t.channel_account_id as "channelAccountId", t.channel
    from conversations c
    join conversations t on t.workspace_id = c.workspace_id and t.id = coalesce(c.merged_into_id, c.id)
    where c.workspace_id = ${workspaceId}::uuid and c.id = any (${ids}::uuid[])`;
  return new Map(found.map(({ id, ...columns }) => [id, columns]));
}
