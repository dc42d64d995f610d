import { Prisma } from '#server/generated/prisma/client.ts';
import { isTurnedOn } from '#server/teammates/add-notifications.ts';
import { isAway } from '#server/teammates/away.ts';
import {
  DEFAULT_CHOICES,
  NOTIFICATION_CHANNELS,
  type PreferenceKind,
} from '#server/teammates/notification-kinds.ts';
import { ADMIN_ROLES, WORKING_ROLES } from '#server/teammates/roles.ts';

const KIND: PreferenceKind = 'assignee_away';

/**
 * Returns the statement that notifies others, if the assignee is away, that the contact of a conversation wrote: the available members
 * of the team; if there are none, the available owners and admins; if there are none, all owners and admins. Nobody who turned these
 * notifications off, or has not read the one before of this conversation.
 * @param when SQL condition for notifying anyone
 */
export function absentAssigneeRows(
  {
    workspaceId,
    conversationId,
    assigneeId,
    teamId,
    now,
  }: { workspaceId: string; conversationId: string; assigneeId: string; teamId: string | null; now: Date },
  when: Prisma.Sql = Prisma.sql`true`,
): Prisma.Sql {
  const isDefault = NOTIFICATION_CHANNELS.some((channel) => DEFAULT_CHOICES[channel].includes(KIND));
  return Prisma.sql`
    insert into notifications (id, workspace_id, user_id, kind, conversation_id, data, created_at)
    select gen_random_uuid(), a.workspace_id, r.user_id, ${KIND}::text, ${conversationId}::uuid,
      jsonb_build_object('assigneeName', u.name, 'until', a.away_until), ${now}::timestamptz
    from members a
    join users u on u.id = a.user_id
    cross join lateral (
      select user_id, dense_rank() over (order by place) as rank from (
        select m.user_id, case
          when ${isAway('m')} then case when m.role = any (${[...ADMIN_ROLES]}::role[]) then 3 end
          when m.role = any (${[...WORKING_ROLES]}::role[]) and exists (
            select from team_members t where t.team_id = ${teamId}::uuid and t.user_id = m.user_id) then 1
          when m.role = any (${[...ADMIN_ROLES]}::role[]) then 2
        end as place
        from members m where m.workspace_id = a.workspace_id and m.user_id <> a.user_id
      ) placed where place is not null
    ) r
    left join notification_preferences p on p.workspace_id = a.workspace_id and p.user_id = r.user_id
    where a.workspace_id = ${workspaceId}::uuid and a.user_id = ${assigneeId}::uuid and ${isAway('a')} and r.rank = 1
      and coalesce(${isTurnedOn(KIND)}, ${isDefault}::boolean)
      and not exists (
        select from notifications n
        where n.conversation_id = ${conversationId}::uuid and n.user_id = r.user_id and n.kind = ${KIND}::text and n.read_at is null)
      and ${when}`;
}
