import { sql } from '#server/core/database/sql.ts';
import { findSeenColumns } from '#server/inbox/conversations/seen-columns.ts';
import { reasonToSee } from '#server/inbox/conversations/visible-conversations.ts';
import { findVisibilities } from '#server/teammates/visibility.ts';

/** Returns the names of teammates whom a note mentions and who do not see its conversation. */
export async function findUnseenBy({
  workspaceId,
  conversationId,
  noteId,
  among,
}: {
  workspaceId: string;
  conversationId: string;
  noteId: string;
  /** Ids of the only teammates to check; by default all. */
  among?: string[];
}): Promise<string[]> {
  const mentioned = await sql().$queryRaw<{ id: string; name: string }[]>`
    select u.id, u.name from notes n join note_mentions m on m.note_id = n.id join users u on u.id = m.user_id
    where n.workspace_id = ${workspaceId}::uuid and n.id = ${noteId}::uuid order by u.name`;
  if (mentioned.length === 0) return [];
  const visibilities = await findVisibilities({ workspaceId, userIds: mentioned.map(({ id }) => id) });
  const limited = mentioned.filter(({ id }) => visibilities.get(id) && (among?.includes(id) ?? true));
  if (limited.length === 0) return [];
  const columns = (await findSeenColumns({ workspaceId, ids: [conversationId] })).get(conversationId);
  if (!columns) return [];
  return limited.flatMap(({ id, name }) =>
    reasonToSee(visibilities.get(id) ?? null, columns) === null ? [name] : [],
  );
}
