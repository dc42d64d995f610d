import { Prisma } from '#server/generated/prisma/client.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

// Who sees a conversation (docs/decisions/0030-who-sees-a-conversation.md). The same condition four times: as SQL for lists, searches
// and counts, as SQL for many teammates, as a filter of Prisma, and as a function that names the reason. A test compares them for all combinations.

/** Why a teammate sees a conversation. */
export type ReasonToSee = 'all' | 'assigned' | 'team' | 'source';

/** The columns that decide. */
export type SeenColumns = {
  assigneeId: string | null;
  teamId: string | null;
  mailboxId: string | null;
  channelAccountId: string | null;
  channel: Channel;
};

/** Returns why a teammate sees a conversation that is not merged into another one, or null. */
export function reasonToSee(visibility: Visibility | null, conversation: SeenColumns): ReasonToSee | null {
  if (!visibility) return 'all';
  const { assigneeId, teamId, mailboxId, channelAccountId, channel } = conversation;
  if (assigneeId === visibility.userId) return 'assigned';
  if (teamId !== null && visibility.teamIds.includes(teamId)) return 'team';
  if (visibility.onlyAssigned) return null;
  const isHidden =
    visibility.hiddenMailboxIds.some((id) => id === mailboxId) ||
    visibility.hiddenAccountIds.some((id) => id === channelAccountId) ||
    (visibility.hidesWebChat && channel === 'webchat');
  return isHidden ? null : 'source';
}

/** Returns the SQL condition that a teammate sees the conversation `alias`, which is not merged into another one. */
export function isVisible(visibility: Visibility | null | undefined, alias: string): Prisma.Sql {
  if (!visibility) return Prisma.sql`true`;
  const { userId, teamIds, onlyAssigned, hiddenMailboxIds, hiddenAccountIds, hidesWebChat } = visibility;
  const c = Prisma.raw(alias);
  const reasons = [Prisma.sql`${c}.assignee_id is not distinct from ${userId}::uuid`];
  if (teamIds.length > 0) reasons.push(Prisma.sql`coalesce(${c}.team_id = any (${teamIds}::uuid[]), false)`);
  if (!onlyAssigned) {
    const hides = (column: string, ids: string[]) =>
      ids.length === 0
        ? Prisma.sql`true`
        : Prisma.sql`not coalesce(${c}.${Prisma.raw(column)} = any (${ids}::uuid[]), false)`;
    const chat = hidesWebChat ? Prisma.sql`${c}.channel <> 'webchat'` : Prisma.sql`true`;
    reasons.push(
      Prisma.sql`(${hides('mailbox_id', hiddenMailboxIds)} and ${hides('channel_account_id', hiddenAccountIds)} and ${chat})`,
    );
  }
  return Prisma.sql`(${Prisma.join(reasons, ' or ')})`;
}

/**
 * Returns `isVisible` for many teammates, whose visibilities are rows.
 * @param view SQL of `VISIBILITY_OF_MEMBER` as `jsonb`, or of a column that has it
 */
export function isVisibleTo(view: string, alias: string): Prisma.Sql {
  const has = (key: string, column: string) =>
    `coalesce(${view} -> '${key}' @> to_jsonb(${alias}.${column}), false)`;
  const is = (key: string) => `(${view} ->> '${key}')::boolean`;
  return Prisma.raw(`(${view} is null or ${has('userId', 'assignee_id')} or ${has('teamIds', 'team_id')} or not (
    ${is('onlyAssigned')} or ${has('hiddenMailboxIds', 'mailbox_id')} or ${has('hiddenAccountIds', 'channel_account_id')}
    or ${is('hidesWebChat')} and ${alias}.channel = 'webchat'))`);
}

/**
 * Returns the SQL condition that a teammate sees any conversation `c`. Whoever sees a conversation sees those that were merged into
 * it, as parts of its thread, and no one else does. A test of the AI agent is in no list, and everyone may continue it.
 */
export function isVisibleById(visibility: Visibility | null | undefined): Prisma.Sql {
  if (!visibility) return Prisma.sql`true`;
  return Prisma.sql`(c.is_test or case when c.merged_into_id is null then ${isVisible(visibility, 'c')} else exists (
    select from conversations target
    where target.workspace_id = c.workspace_id and target.id = c.merged_into_id and ${isVisible(visibility, 'target')}) end)`;
}

/** Returns `isVisibleById` as a filter of Prisma. */
export function visibleById(visibility: Visibility | null | undefined): Prisma.ConversationWhereInput {
  if (!visibility) return {};
  const seen = visible(visibility);
  return { OR: [{ isTest: true }, { mergedIntoId: null, ...seen }, { mergedInto: seen }] };
}

function visible(visibility: Visibility): Prisma.ConversationWhereInput {
  const { userId, teamIds, onlyAssigned, hiddenMailboxIds, hiddenAccountIds, hidesWebChat } = visibility;
  const own: Prisma.ConversationWhereInput[] = [{ assigneeId: userId }, { teamId: { in: teamIds } }];
  if (onlyAssigned) return { OR: own };
  const ofSource: Prisma.ConversationWhereInput = {
    AND: [
      { OR: [{ mailboxId: null }, { mailboxId: { notIn: hiddenMailboxIds } }] },
      { OR: [{ channelAccountId: null }, { channelAccountId: { notIn: hiddenAccountIds } }] },
      hidesWebChat ? { channel: { not: 'webchat' } } : {},
    ],
  };
  return { OR: [...own, ofSource] };
}
