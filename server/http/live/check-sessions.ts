import { pool } from '#server/core/database/db.ts';

/** Whom a stream was opened for. */
export type StreamOwner = { sessionId: string; userId: string; workspaceId: string };

/**
 * A stream may go on while its session has not ended, its teammate is a member of its workspace, and no other
 * workspace of theirs has been opened in the session. One statement for all of them, which leaves the sessions as
 * they are: a page that only listens does not prolong its session.
 */
const STATEMENT = {
  name: 'check-live-sessions',
  text: `
    select asked.session_id || ' ' || asked.workspace_id as id
    from unnest($1::uuid[], $2::uuid[]) as asked (session_id, workspace_id)
    join sessions s on s.id = asked.session_id and s.expires_at > now()
    join members m on m.user_id = s.user_id and m.workspace_id = asked.workspace_id
    join workspaces w on w.id = m.workspace_id and w.deleted_at is null
    where s.workspace_id is not distinct from asked.workspace_id or not exists (
      select from members other where other.user_id = s.user_id and other.workspace_id = s.workspace_id)`,
};

/** Of the streams given, those that have to end. */
export async function findEndedSessions<Stream extends StreamOwner>(streams: Stream[]): Promise<Stream[]> {
  if (streams.length === 0) return [];
  const { rows } = await pool().query<{ id: string }>({
    ...STATEMENT,
    values: [streams.map(({ sessionId }) => sessionId), streams.map(({ workspaceId }) => workspaceId)],
  });
  const going = new Set(rows.map(({ id }) => id));
  return streams.filter(({ sessionId, workspaceId }) => !going.has(`${sessionId} ${workspaceId}`));
}
