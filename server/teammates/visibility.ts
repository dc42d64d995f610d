import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * What a teammate whose view is limited sees: conversations assigned to them or their teams and, unless `onlyAssigned`, those
 * that arrived neither in the hidden mailboxes, nor through the hidden accounts, nor in a hidden web chat.
 */
export type Visibility = {
  userId: string;
  teamIds: string[];
  onlyAssigned: boolean;
  hiddenMailboxIds: string[];
  hiddenAccountIds: string[];
  hidesWebChat: boolean;
};

/** The sources of the workspace that are limited to teams without the member `m`. */
const HIDDEN = `from limited_sources l where l.workspace_id = m.workspace_id and not exists (
  select from limited_source_teams lt join team_members tm on tm.team_id = lt.team_id
  where lt.source_id = l.id and tm.user_id = m.user_id)`;

/** SQL of the `Visibility` of the member `m`. Null for owners and admins, and while nothing limits the member. */
export const VISIBILITY_OF_MEMBER = `case when m.role in ('agent', 'viewer') and (m.only_assigned or exists (select ${HIDDEN}))
  then json_build_object('userId', m.user_id, 'onlyAssigned', m.only_assigned,
    'teamIds', array(select tm.team_id from team_members tm
      where tm.workspace_id = m.workspace_id and tm.user_id = m.user_id order by tm.team_id),
    'hiddenMailboxIds', array(select l.mailbox_id ${HIDDEN} and l.mailbox_id is not null order by l.mailbox_id),
    'hiddenAccountIds', array(
      select l.channel_account_id ${HIDDEN} and l.channel_account_id is not null order by l.channel_account_id),
    'hidesWebChat', exists (select ${HIDDEN} and l.mailbox_id is null and l.channel_account_id is null)) end`;

/** Returns what members of a workspace see, by their ids. Null: everything. Others are missing. */
export async function findVisibilities(
  { workspaceId, userIds }: { workspaceId: string; userIds?: string[] },
  db: SqlDb = sql(),
): Promise<Map<string, Visibility | null>> {
  const which = userIds ? Prisma.sql`and m.user_id = any (${userIds}::uuid[])` : Prisma.empty;
  const found = await db.$queryRaw<{ userId: string; visibility: Visibility | null }[]>`
    select m.user_id as "userId", ${Prisma.raw(VISIBILITY_OF_MEMBER)} as visibility
    from members m where m.workspace_id = ${workspaceId}::uuid ${which}`;
  return new Map(found.map(({ userId, visibility }) => [userId, visibility]));
}
