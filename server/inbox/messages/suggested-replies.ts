import { v7 as uuidv7 } from 'uuid';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import type { Planned } from '#server/core/database/planned.ts';
import { type SqlDb, sql } from '#server/core/database/sql.ts';
import { Refusal } from '#server/core/errors.ts';
import { BATCH_ROWS, removeInBatches } from '#server/core/jobs/remove-in-batches.ts';
import { publish } from '#server/core/live/publish.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { conversationUrl } from '#server/inbox/conversations/conversation-record.ts';
import { lockForChange } from '#server/inbox/conversations/lock-conversation.ts';
import { IS_NOT_DELETED } from '#server/inbox/conversations/readable-conversations.ts';
import type { Actor } from '#server/teammates/actor.ts';

/** Maximum length of the reason of a suggested reply, in characters. */
export const REASON_MAX_LENGTH = 1_000;

type SuggestedReplyRecord = {
  id: string;
  conversation_id: string;
  content: string;
  reason: string;
  created_at: string;
  url: string;
};

/**
 * Plans a reply that a program suggests for a conversation. It is sent only when a teammate sends it. Replaces the program's
 * earlier suggestion in the conversation, under a new id, so that a teammate never sends a text that they have not seen.
 * @throws Refusal when the conversation does not exist, is spam or deleted, or was merged
 */
export async function suggestReply(
  tx: SqlDb,
  suggestion: {
    workspaceId: string;
    id: string;
    actor: Extract<Actor, { kind: 'program' }>;
    content: string;
    reason: string;
  },
): Promise<Planned<SuggestedReplyRecord>> {
  const { workspaceId, actor, content, reason } = suggestion;
  const { id: conversationId } = await lockForChange(tx, suggestion);
  const id = uuidv7();
  const now = new Date();
  const suggested = Prisma.sql`
    insert into suggested_replies
      (id, workspace_id, conversation_id, token_id, program_name, content, reason, created_at)
    values (${id}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid, ${actor.tokenId}::uuid, ${actor.name},
      ${content}, ${reason}, ${now}::timestamptz)
    on conflict (conversation_id, token_id) do update set id = excluded.id, program_name = excluded.program_name,
      content = excluded.content, reason = excluded.reason, created_at = excluded.created_at`;
  return {
    result: {
      id,
      conversation_id: conversationId,
      content,
      reason,
      created_at: timestamp(now),
      url: conversationUrl(conversationId),
    },
    parts: { suggested },
    after: [{ work: () => publish(workspaceId, 'conversations') }],
  };
}

/**
 * A suggested reply, with what happened in its conversation since: `answered` when someone else replied, `written` when the
 * contact wrote.
 */
export type SuggestedReplyView = {
  id: string;
  programName: string;
  content: string;
  reason: string;
  createdAt: string;
  since: 'answered' | 'written' | null;
};

/** Minutes for which a suggestion is shown after its conversation was answered without it. */
const ANSWERED_MINUTES = 60;

/** Returns the suggested replies of a conversation, oldest first: at most one for each program. */
export function listSuggestedReplies(
  db: ReadDb,
  { workspaceId, conversationId }: { workspaceId: string; conversationId: string },
): Promise<SuggestedReplyView[]> {
  const isNewer = Prisma.sql`m.conversation_id = p.conversation_id and m.created_at > p.created_at`;
  const statement = Prisma.sql`
    select p.id, p.program_name as "programName", p.content, p.reason, p.created_at as "createdAt",
      case
        when answer.created_at is not null or exists (
          select from pending_replies r
          where r.conversation_id = p.conversation_id and r.problem is null and r.created_at > p.created_at)
        then 'answered'
        when exists (select from messages m where ${isNewer} and m.direction = 'inbound' and not m.automatic) then 'written'
      end as since
    from suggested_replies p
    left join lateral (
      select m.created_at from messages m
      where ${isNewer} and m.direction = 'outbound' and m.author_kind not in ('flow', 'automatic')
      order by m.created_at limit 1
    ) answer on true
    where p.workspace_id = ${workspaceId}::uuid and p.conversation_id = ${conversationId}::uuid
      and (answer.created_at is null or answer.created_at > now() - make_interval(mins => ${ANSWERED_MINUTES}::int))
    order by p.created_at, p.id`;
  return runRead(db, statement, (rows: SuggestedReplyView[]) => rows);
}

/** Days for which a suggestion is stored that no teammate decides about. */
const STORED_DAYS = 30;

/** Removes suggestions after 30 days. Returns how many. */
export function removeOldSuggestions(): Promise<number> {
  return removeInBatches(`
    delete from suggested_replies where id in (
      select id from suggested_replies
      where created_at < now() - make_interval(days => ${STORED_DAYS})
      limit ${BATCH_ROWS} for update skip locked
    )`);
}

type Which = { workspaceId: string; id: string };

/**
 * Deletes a suggested reply and returns its text, for a teammate who edits or dismisses it. One statement, so a suggestion is
 * taken or sent once.
 * @throws Refusal when the suggestion is gone, or its conversation was deleted
 */
export async function takeSuggestedReply({ workspaceId, id }: Which): Promise<{ content: string }> {
  const [taken] = await sql().$queryRaw<{ content: string }[]>`
    delete from suggested_replies p
    where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid
      and exists (select from conversations c where c.id = p.conversation_id and ${IS_NOT_DELETED})
    returning content`;
  if (!taken) throw gone();
  publish(workspaceId, 'conversations');
  return taken;
}

/**
 * Deletes the suggested reply that a teammate sends, in the transaction that stores their reply.
 * @throws Refusal when the suggestion is gone
 */
export async function consumeSuggestedReply(
  tx: SqlDb,
  { workspaceId, id, conversationId }: Which & { conversationId: string },
): Promise<void> {
  const used = await tx.$executeRaw`
    delete from suggested_replies
    where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and conversation_id = ${conversationId}::uuid`;
  if (used === 0) throw gone();
}

function gone(): Refusal {
  return new Refusal(
    'not_found',
    'This suggestion is gone. A teammate has sent, edited or dismissed it, or the program has replaced it.',
  );
}
