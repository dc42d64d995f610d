import { log } from '#server/core/log.ts';
import type { PresentTeammate } from '#server/http/live/track-presence.ts';
import { findSeenColumns } from '#server/inbox/conversations/seen-columns.ts';
import { reasonToSee, type SeenColumns } from '#server/inbox/conversations/visible-conversations.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/**
 * Returns a function that leaves out of what teammates have open the conversations that a limited view hides. One statement for
 * all views.
 */
export async function hidePresence(
  workspaceId: string,
  teammates: readonly PresentTeammate[],
): Promise<(visibility: Visibility) => PresentTeammate[]> {
  const ids = [...new Set(teammates.flatMap(({ open }) => open.map(({ conversationId }) => conversationId)))];
  const columns = await findSeenColumns({ workspaceId, ids });
  return (visibility) =>
    teammates.map((teammate) => ({
      ...teammate,
      open: teammate.open.filter(({ conversationId }) => {
        const conversation = columns.get(conversationId);
        return conversation !== undefined && reasonToSee(visibility, conversation) !== null;
      }),
    }));
}

/** Returns those who see a conversation. No statement without limited views. Nobody with a limited view when the database is down. */
export async function whoSee<Viewer extends { visibility: Visibility | null }>(
  viewers: readonly Viewer[],
  { workspaceId, conversationId }: { workspaceId: string; conversationId: string },
): Promise<readonly Viewer[]> {
  if (viewers.every(({ visibility }) => visibility === null)) return viewers;
  const columns = await findSeenColumns({ workspaceId, ids: [conversationId] }).catch((error: unknown) => {
    log().debug({ err: error }, 'live.draft_not_sent');
    return new Map<string, SeenColumns>();
  });
  const conversation = columns.get(conversationId);
  return viewers.filter(
    ({ visibility }) =>
      visibility === null || (conversation !== undefined && reasonToSee(visibility, conversation) !== null),
  );
}
