import { afterCommit } from '#server/core/database/after-commit.ts';
import { sqlTransaction } from '#server/core/database/sql-transaction.ts';
import { jobRow } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isVisibleTo } from '#server/inbox/conversations/visible-conversations.ts';
import { isTurnedOn } from '#server/teammates/add-notifications.ts';
import { type PreferenceKind, SMALL_WORKSPACE_MEMBERS } from '#server/teammates/notification-kinds.ts';
import { VISIBILITY_OF_MEMBER } from '#server/teammates/visibility.ts';

/** Delay in seconds, in which flows and teammates can take the conversation. Longer if the AI agent may answer it. */
const DELAY_SECONDS = 5;
const DELAY_WITH_AGENT_SECONDS = 25;
/** One job handles all conversations of a workspace that start within this time. */
const BATCH_MS = 5_000;

/** Returns the job that notifies teammates of a new conversation, if nobody has taken it by then. */
export function newConversationJob(
  workspaceId: string,
  { mayAgentAnswer, now }: { mayAgentAnswer: boolean; now: Date },
): Prisma.Sql {
  return jobRow(
    'notify-of-new-conversations',
    { workspaceId },
    {
      inSeconds: mayAgentAnswer ? DELAY_WITH_AGENT_SECONDS : DELAY_SECONDS,
      key: `new-conversations:${workspaceId}:${Math.floor(now.getTime() / BATCH_MS)}`,
    },
  );
}

/** Maximum age of a new conversation in minutes: a worker that was stopped for longer does not catch up. */
const MAX_AGE_MINUTES = 15;
/** Maximum number of conversations that one job notifies of. */
const CONVERSATIONS_MAX = 50;
/** Maximum number of unread notifications of this kind per teammate. Nobody needs more to open the unassigned view. */
const UNREAD_MAX = 5;

const KIND: PreferenceKind = 'new_conversation';

const RECENTLY = Prisma.sql`now() - make_interval(mins => ${MAX_AGE_MINUTES}::int)`;
const IS_UNASSIGNED = Prisma.sql`status = 'open' and assignee_id is null and merged_into_id is null and not is_test and removal is null`;
/** Only the AI agent has answered. */
const IS_LEFT_BY_AGENT = Prisma.sql`not ai_agent_silenced and exists (
  select from messages m where m.conversation_id = conversations.id and m.author_kind = 'ai_agent')`;

/**
 * Notifies teammates of conversations that a contact started and nobody has taken: open, unassigned and unanswered, or answered by
 * the AI agent only, which leaves the last message to the team. Each teammate has at most five unread ones, however many
 * conversations start. The last one counts the rest. Skips conversations of teams and channels that a teammate excluded or that a
 * limited view hides, and those about which the teammate was notified before. If only the AI agent has answered, only
 * notifications since the contact has been waiting count.
 * Without preferences only in a small workspace, and no viewers.
 *
 * The lock on the workspace makes parallel jobs wait for each other. The conversations are locked, so a teammate who takes
 * one in the meantime also ends its notifications.
 */
export async function notifyOfNewConversations(workspaceId: string): Promise<void> {
  await sqlTransaction(async (tx) => {
    const workspaces = await tx.$queryRaw<unknown[]>`
      select 1 from workspaces where id = ${workspaceId}::uuid and deleted_at is null for no key update`;
    if (workspaces.length === 0) return;
    const added = await tx.$executeRaw`
      with waiting as materialized (
        (select id from conversations
        where workspace_id = ${workspaceId}::uuid and ${IS_UNASSIGNED} and waiting_since > ${RECENTLY}
          and (created_at > ${RECENTLY} or ${IS_LEFT_BY_AGENT})
        order by waiting_since desc, id desc
        limit ${CONVERSATIONS_MAX}::int)
        union all
        -- Reopened, because the answer of the AI agent failed: the contact has been waiting since before it.
        (select id from conversations
        where workspace_id = ${workspaceId}::uuid and ${IS_UNASSIGNED} and status_changed_at > ${RECENTLY} and waiting_since <= ${RECENTLY} and ${IS_LEFT_BY_AGENT}
        order by status_changed_at desc, id desc
        limit ${CONVERSATIONS_MAX}::int)
      ), fresh as materialized (
        select id, assignee_id, team_id, mailbox_id, channel_account_id, channel, waiting_since,
          created_at > ${RECENTLY} as is_new, (${IS_LEFT_BY_AGENT}) as is_left_by_agent
        from conversations
        where id = any (array(select id from waiting)) and status = 'open' and assignee_id is null
          and merged_into_id is null and removal is null and waiting_since is not null
        order by id
        for no key update
      ), recipients as (
        select m.user_id, v.view, p.muted_team_ids, p.mutes_no_team, p.muted_channels, ${UNREAD_MAX}::int - (
            select count(*) from notifications n
            join conversations c on c.workspace_id = n.workspace_id and c.id = n.conversation_id
            where n.user_id = m.user_id and n.workspace_id = m.workspace_id and n.kind = 'new_conversation'
              and n.read_at is null and ${isVisibleTo('v.view', 'c')}
          ) as room
        from members m
        cross join lateral (select (${Prisma.raw(VISIBILITY_OF_MEMBER)})::jsonb as view offset 0) v
        left join notification_preferences p on p.workspace_id = m.workspace_id and p.user_id = m.user_id
        where m.workspace_id = ${workspaceId}::uuid and case
          when p.user_id is not null then ${isTurnedOn(KIND)}
          else m.role <> 'viewer' and (
            select count(*) from (
              select from members where workspace_id = ${workspaceId}::uuid limit ${SMALL_WORKSPACE_MEMBERS + 1}::int
            ) counted
          ) <= ${SMALL_WORKSPACE_MEMBERS}::int
        end
      ), ranked as (
        select r.user_id, r.room, f.id, f.is_new, row_number() over by_age as rank, count(*) over (partition by r.user_id) as found,
          bool_and(f.is_new) over (by_age rows between current row and unbounded following) as are_new
        from recipients r
        join fresh f on not coalesce(f.channel = any (r.muted_channels), false)
          and ${isVisibleTo('r.view', 'f')}
          and not coalesce(case when f.team_id is null then r.mutes_no_team else f.team_id = any (r.muted_team_ids) end, false)
        where r.room > 0 and not exists (
          select from notifications n
          where n.conversation_id = f.id and n.user_id = r.user_id and (not f.is_left_by_agent or n.created_at >= f.waiting_since))
        window by_age as (partition by r.user_id order by f.waiting_since, f.id)
      )
      insert into notifications (id, workspace_id, user_id, kind, conversation_id, data, created_at)
      select gen_random_uuid(), ${workspaceId}::uuid, user_id, ${KIND}::text, id,
        jsonb_build_object('more', case when rank = room then found - room else 0 end, 'isNew', case when rank = room then are_new else is_new end),
        clock_timestamp()
      from ranked where rank <= room`;
    if (added > 0) afterCommit(tx, () => publish(workspaceId, 'notifications'));
  });
}
