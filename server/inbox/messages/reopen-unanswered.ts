import type { SqlDb } from '#server/core/database/sql.ts';
import { changeOf, joinChanges, setStatus } from '#server/inbox/conversations/changes.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { newConversationJob } from '#server/inbox/conversations/notify-of-new-conversations.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { changeClocks } from '#server/inbox/conversations/sla-clocks.ts';

/**
 * Restores the time since when the contact of a locked conversation has been waiting, after a reply failed, and resumes the first
 * response clock if no reply arrived. Reopens the conversation if it was an answer of the AI agent, which nobody else watches. Restores
 * only the clock when somebody wrote after the reply, and nothing when the conversation is closed, merged, spam or deleted. Emits
 * `conversation.status_changed`.
 * @param message the failed message. A forward and a message of the service, such as a rating request, change nothing
 */
export async function reopenUnanswered(
  tx: SqlDb,
  sent: {
    conversation: LockedConversation;
    message: { id: string; authorKind: string; direction: string };
    now: Date;
  },
): Promise<void> {
  const { conversation, message, now } = sent;
  const { record, mergedIntoId, removal } = conversation;
  if (message.direction !== 'outbound' || message.authorKind === 'automatic') return;
  if (record.status === 'closed' || mergedIntoId !== null || removal !== null) return;
  if (record.status !== 'solved')
    await changeClocks(tx, { clock: 'resume_unanswered', conversationId: conversation.id, now });
  const waitingSince = await findWaitingSince(tx, message.id);
  if (waitingSince === undefined) return;
  const jobs = [newConversationJob(conversation.workspaceId, { mayAgentAnswer: false, now })];
  const change = joinChanges([
    changeOf({ columns: { waitingSince } }),
    ...(message.authorKind === 'ai_agent'
      ? [
          setStatus(record, { status: 'open', now, because: 'answer_failed' }),
          // The answer may have solved the conversation, which stopped the clock of the first response.
          changeOf({ jobs, clocks: ['undo_solving'] }),
        ]
      : []),
  ]);
  await persistChange(tx, conversation, { actor: { kind: 'automatic' }, change, now });
}

/**
 * Returns the time of the contact's first message since the last reply that arrived, and since the conversation was solved before the
 * failed answer; null if there is none. Undefined when somebody wrote after the failed answer. A message of a program, such as a bounce
 * or a rating request, is no answer.
 */
async function findWaitingSince(tx: SqlDb, answerId: string): Promise<Date | null | undefined> {
  const [answer] = await tx.$queryRaw<{ waitingSince: Date | null }[]>`
    select (
      select min(m.created_at) from messages m
      where m.conversation_id = answer.conversation_id and m.direction = 'inbound' and not m.automatic
        and m.created_at > coalesce(greatest((
          select max(r.created_at) from messages r
          where r.conversation_id = answer.conversation_id and r.direction = 'outbound' and r.author_kind <> 'automatic'
            and (r.send_status = 'sent' or r.send_status is null)), (
          select max(e.created_at) from timeline_entries e
          where e.conversation_id = answer.conversation_id and e.kind = 'status_changed' and e.data ->> 'to' = 'solved'
            and e.created_at < answer.created_at)), '-infinity')
    ) as "waitingSince"
    from messages answer
    where answer.id = ${answerId}::uuid and not exists (
      select from messages later
      where later.conversation_id = answer.conversation_id
        and (later.created_at, later.id) > (answer.created_at, answer.id)
        and later.direction <> 'forward' and not later.automatic and later.author_kind <> 'automatic')`;
  return answer?.waitingSince;
}
