import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import type { AgentAnswer, AgentQuestion, AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';
import { loadQuestion, mayAnswer, type Question } from '#server/inbox/ai-agent/load-question.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { changeOf, joinChanges, setStatus } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { outgoingMessage, type SavedMessage } from '#server/inbox/messages/outgoing-message.ts';
import { sendMessage } from '#server/inbox/messages/send-message.ts';

/** How long the agent may think, in milliseconds. */
const THINKING_MS = 15_000;

const ACTOR = { kind: 'ai_agent' } as const;

/**
 * Lets the AI agent answer a contact's message, if it knows an answer: no transaction is open while it is asked, so
 * all is looked at again before its answer is saved. It stays silent when someone else has written meanwhile or is
 * about to, when it was silenced or switched off, when the conversation is not open any more, where nothing could be
 * sent, and where the recipient has had too many automatic mails. The conversation gets the status that the answer says;
 * an answer that could not be sent leaves it open. Done again for a message that was answered, it does nothing. Keeps the clock of the first response
 * running, as that is a teammate's. Emits `conversation.status_changed`.
 * @throws what the agent throws, and when it takes too long: then it is asked again later
 */
export async function answerContact(
  agent: AiAgent,
  { messageId, thinkingMs = THINKING_MS }: { messageId: string; thinkingMs?: number },
): Promise<'answered' | 'silent'> {
  const asked = await loadQuestion(messageId);
  if (!asked) return 'silent';
  const answer = await ask(agent, asked.question, thinkingMs);
  const saved =
    answer.kind === 'answer' && (await isWithinMailLimit(asked))
      ? await saveAnswer(asked, answer)
      : undefined;
  log().info({ messageId, answered: saved !== undefined }, 'agent.asked');
  if (!saved || answer.kind === 'silent') return 'silent';
  if (saved.sendStatus === 'sending') {
    const { status } = await sendMessage(saved.id);
    if (status === 'failed') await reopenUnanswered({ ...asked, answerId: saved.id });
  }
  return 'answered';
}

async function isWithinMailLimit({ mailTo }: Question): Promise<boolean> {
  return mailTo === null || (await takeFrom('automatic_mail', mailTo)).allowed;
}

/** Also an agent that does not heed the signal is waited for no longer. */
function ask(agent: AiAgent, question: AgentQuestion, thinkingMs: number): Promise<AgentAnswer> {
  const signal = AbortSignal.timeout(thinkingMs);
  const tooLong = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([agent.answer(question, signal), tooLong]);
}

/** Saves the answer and sets the status, unless something has changed since the agent was asked. */
async function saveAnswer(
  { messageId, workspaceId, conversationId }: Question,
  { content, nextStatus }: Extract<AgentAnswer, { kind: 'answer' }>,
): Promise<SavedMessage | undefined> {
  return inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const { record } = conversation;
    if (
      !mayAnswer({ ...conversation, status: record.status }) ||
      (await isTakenCareOf(tx, { messageId, conversationId }))
    )
      return undefined;
    const sendStatus = await CHANNELS[record.channel].firstStatus(tx, conversation);
    // The contact would get nothing, and the team would take them for answered.
    if (sendStatus === 'held_for_paywall') return undefined;
    const now = new Date();
    const at = { workspaceId, conversationId };
    const { message, insert } = outgoingMessage({ ...at, actor: ACTOR, content, sendStatus, now });
    const change = joinChanges([
      changeOf({ columns: { lastMessageAt: now }, rows: [insert] }),
      setStatus(record, { status: nextStatus, now }),
    ]);
    await persistChange(tx, conversation, { actor: ACTOR, change, now });
    return message;
  });
}

/** Whether anyone, the agent too, has written after the message, or a teammate's reply is about to leave. */
async function isTakenCareOf(
  tx: Tx,
  { messageId, conversationId }: { messageId: string; conversationId: string },
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isTakenCareOf: boolean }[]>`
    select exists (
      select from messages asked
      join messages later on later.conversation_id = ${conversationId}::uuid
        and (later.created_at, later.id) > (asked.created_at, asked.id)
      where asked.id = ${messageId}::uuid
    ) or exists (
      select from pending_replies where conversation_id = ${conversationId}::uuid and problem is null
    ) as "isTakenCareOf"`;
  return row?.isTakenCareOf ?? true;
}

/**
 * Opens a conversation again when the AI agent's answer could not be sent: the contact still waits, and the team is to
 * see it. Not when something else was written or decided since.
 */
async function reopenUnanswered(given: {
  workspaceId: string;
  conversationId: string;
  answerId: string;
}): Promise<void> {
  const { workspaceId, conversationId, answerId } = given;
  await inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const newest = await tx.message.findFirst({
      where: { conversationId },
      select: { id: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
    const isWaiting = conversation.record.status === 'pending' || conversation.record.status === 'solved';
    if (newest?.id !== answerId || !isWaiting || conversation.mergedIntoId !== null) return;
    const now = new Date();
    const change = setStatus(conversation.record, { status: 'open', now });
    await persistChange(tx, conversation, { actor: { kind: 'automatic' }, change, now });
  });
}
