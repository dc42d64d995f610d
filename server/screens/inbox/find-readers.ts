import { sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel, Role } from '#server/generated/prisma/enums.ts';
import { CHANNEL_NAMES } from '#server/inbox/channels/channel-names.ts';
import { IS_NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import { type ReasonToSee, reasonToSee } from '#server/inbox/conversations/visible-conversations.ts';
import type { ReadersView, ReaderView } from '#server/screens/inbox/views.ts';
import { isAdmin } from '#server/teammates/roles.ts';
import { VISIBILITY_OF_MEMBER, type Visibility } from '#server/teammates/visibility.ts';

type Row = {
  assigneeId: string | null;
  teamId: string | null;
  teamName: string | null;
  mailboxId: string | null;
  channelAccountId: string | null;
  channel: Channel;
  sourceName: string | null;
  isLimited: boolean;
  isDeleted: boolean;
  members: { id: string; name: string; role: Role; onlyAssigned: boolean; visibility: Visibility | null }[];
};

/**
 * Returns the teammates of a workspace by name, with why each sees a conversation, or that they do not. That of a merged conversation
 * is decided by the one that it was merged into. Null when there is no such conversation for the role of the reader. One round trip.
 */
export async function findReaders({
  workspace,
  id,
}: {
  workspace: { id: string; role: Role };
  id: string;
}): Promise<ReadersView | null> {
  const [row] = await sql().$queryRaw<Row[]>`
    select t.assignee_id as "assigneeId", t.team_id as "teamId", team.name as "teamName", t.mailbox_id as "mailboxId",
      t.channel_account_id as "channelAccountId", t.channel, coalesce(b.address, a.name) as "sourceName",
      exists (select from limited_sources l where l.workspace_id = t.workspace_id
        and (l.mailbox_id = t.mailbox_id or l.channel_account_id = t.channel_account_id
          or t.channel = 'webchat' and l.mailbox_id is null and l.channel_account_id is null)) as "isLimited",
      not ${IS_NOT_DELETED} as "isDeleted",
      (select json_agg(json_build_object('id', u.id, 'name', u.name, 'role', m.role, 'onlyAssigned', m.only_assigned,
          'visibility', ${Prisma.raw(VISIBILITY_OF_MEMBER)}) order by u.name, u.id)
        from members m join users u on u.id = m.user_id where m.workspace_id = t.workspace_id) as members
    from conversations c
    join conversations t on t.workspace_id = c.workspace_id and t.id = coalesce(c.merged_into_id, c.id)
    left join teams team on team.id = t.team_id and team.deleted_at is null
    left join mailboxes b on b.id = t.mailbox_id
    left join channel_accounts a on a.id = t.channel_account_id
    where c.workspace_id = ${workspace.id}::uuid and c.id = ${id}::uuid`;
  if (!row || (row.isDeleted && !isAdmin(workspace.role))) return null;
  const source = sourceOf(row);
  const teammates = row.members.map(({ visibility, ...member }): ReaderView => {
    const { id, name, role } = member;
    if (row.isDeleted && !isAdmin(role)) return { id, name, sees: false, why: DELETED };
    const reason = reasonToSee(visibility, row);
    return {
      id,
      name,
      sees: reason !== null,
      why: reason === null ? whyNot(member, source) : WHY[reason]({ ...row, source, role }),
    };
  });
  return { teammates, isLimited: teammates.some(({ sees }) => !sees) };
}

const DELETED = 'Only owners and admins read deleted conversations.';

/** Returns the source in words: a mailbox, an account of a channel, or a channel without accounts. */
function sourceOf({ channel, sourceName }: Pick<Row, 'channel' | 'sourceName'>): string {
  if (channel === 'email' && sourceName !== null) return sourceName;
  if (channel === 'webchat') return 'the web chat';
  const { name } = CHANNEL_NAMES[channel];
  return sourceName === null ? name : `${name} (${sourceName})`;
}

type Facts = { role: Role; source: string; isLimited: boolean; teamName: string | null };

const WHY: Record<ReasonToSee, (facts: Facts) => string> = {
  all: ({ role, source, isLimited }) =>
    role === 'owner' || role === 'admin' ? ROLE_SEES_ALL[role] : ofSource({ source, isLimited }),
  assigned: () => 'The conversation is assigned to them.',
  team: ({ teamName }) => `The conversation is assigned to their team${teamName ? ` ${teamName}` : ''}.`,
  source: ofSource,
};

const ROLE_SEES_ALL = {
  owner: 'Owners see all conversations.',
  admin: 'Admins see all conversations.',
};

function ofSource({ source, isLimited }: Pick<Facts, 'source' | 'isLimited'>): string {
  return isLimited
    ? `One of their teams sees the conversations of ${source}.`
    : `Everyone sees the conversations of ${source}.`;
}

function whyNot({ onlyAssigned }: { onlyAssigned: boolean }, source: string): string {
  return onlyAssigned
    ? 'They see only conversations that are assigned to them or their teams.'
    : `None of their teams sees the conversations of ${source}.`;
}
