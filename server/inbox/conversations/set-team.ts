import { type Change, changeOf } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';

/** Moves a conversation to a team, or out of its team; the one it is in already changes nothing. */
export function setTeam(
  { team: previous }: Pick<LockedConversation, 'team'>,
  team: { id: string; name: string } | null,
): Change {
  if (previous?.id === team?.id) return changeOf();
  const columns = { teamId: team?.id ?? null };
  if (team) {
    return changeOf({
      columns,
      entries: [{ kind: 'team_set', data: { teamId: team.id, teamName: team.name } }],
    });
  }
  return changeOf({
    columns,
    entries: previous ? [{ kind: 'team_removed', data: { teamName: previous.name } }] : [],
  });
}
