import { statementOf } from '#server/core/database/parts.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { startMovingJobs } from '#server/core/jobs/outbox.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { AgentAnswer, AgentQuestion, AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';
import {
  loadQuestion,
  mayAnswer,
  type Question,
  type Silence,
} from '#server/inbox/ai-agent/load-question.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { changeOf, joinChanges, setStatus } from '#server/inbox/conversations/changes.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import { persistChange } from '#server/inbox/conversations/persist-change.ts';
import { endDelayParts } from '#server/inbox/conversations/request-assignment.ts';
import { outgoingMessage, type SavedMessage, sendJob } from '#server/inbox/messages/outgoing-message.ts';
import { sentEvents } from '#server/inbox/messages/reply-events.ts';

/** Timeout of the agent, in ms. */
const THINKING_MS = 15_000;

const ACTOR = { kind: 'ai_agent' } as const;

/**
 * Lets the AI agent answer a contact's message, and queues the answer. No transaction is open while the agent works, so
 * every condition is checked again before the answer is saved. The agent stays silent when:
 * - someone has written in the meantime, or a teammate's reply is scheduled;
 * - the agent was silenced or switched off, or the conversation is no longer open;
 * - the channel would send nothing;
 * - the recipient has reached the limit for automatic mail.
 *
 * Sets the status that the answer names; a conversation whose answer fails, even later, reopens. Idempotent for a
 * message that was already answered. The SLA clock of the first response keeps running: only a teammate's reply stops
 * it. Emits `conversation.status_changed`.
 * @throws the agent's error, or a timeout; the job then retries
 */
export async function answerContact(
  agent: AiAgent,
  { messageId, thinkingMs = THINKING_MS }: { messageId: string; thinkingMs?: number },
): Promise<'answered' | 'silent'> {
  const asked = await loadQuestion(messageId);
  if (!asked) return 'silent';
  const outcome = await decide(agent, asked, thinkingMs).catch(async (error: unknown) => {
    await recordSilence(messageId, 'failed');
    throw error;
  });
  log().info({ messageId, answered: typeof outcome === 'object' }, 'agent.asked');
  if (typeof outcome === 'string') {
    await recordSilence(messageId, outcome);
    return 'silent';
  }
  return 'answered';
}

/** Asks the agent, and saves its answer. Returns the reason when there is none. */
async function decide(
  agent: AiAgent,
  asked: Question | Silence,
  thinkingMs: number,
): Promise<SavedMessage | Silence> {
  if (typeof asked === 'string') return asked;
  const answer = await askAgent(agent, asked.question, thinkingMs);
  if (answer.kind === 'silent') return 'no_answer';
  return (await isWithinMailLimit(asked)) ? saveAnswer(asked, answer) : 'limit';
}

/**
 * Records why a message has no answer of the agent, and ends the delay of an automatic assignment, except when another message is
 * answered. A job that runs again finds its own answer, which stays recorded.
 */
async function recordSilence(messageId: string, why: Silence): Promise<void> {
  const recorded = Prisma.sql`
    update messages set agent_decision = ${why} where id = ${messageId}::uuid and agent_decision is distinct from 'answered'`;
  const parts = { recorded, ...endDelayParts(messageId, Prisma.sql`${why !== 'written_since'}::boolean`) };
  const [found] = await sql().$queryRaw<{ isAssigning: boolean }[]>(
    statementOf(parts, Prisma.sql`select exists (select from requested) as "isAssigning"`),
  );
  if (found?.isAssigning) startMovingJobs();
}

async function isWithinMailLimit({ mailTo }: Question): Promise<boolean> {
  return mailTo === null || (await consumeLimit('automatic_mail', mailTo)).allowed;
}

/** Enforces the timeout even for an agent that ignores the signal. */
function askAgent(agent: AiAgent, question: AgentQuestion, thinkingMs: number): Promise<AgentAnswer> {
  const signal = AbortSignal.timeout(thinkingMs);
  const tooLong = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([agent.answer(question, signal), tooLong]);
}

/** Saves the answer and sets the status, unless the conversation changed while the agent worked. */
async function saveAnswer(
  { messageId, workspaceId, conversationId }: Question,
  { content, nextStatus }: Extract<AgentAnswer, { kind: 'answer' }>,
): Promise<SavedMessage | Silence> {
  return inTransaction(async (tx) => {
    const conversation = await lockConversation(tx, { workspaceId, id: conversationId });
    const { record } = conversation;
    if (!mayAnswer({ ...conversation, status: record.status })) return 'not_open';
    if (await isTakenCareOf(tx, { messageId, conversationId })) return 'written_since';
    // The contact was merged while the agent worked, and is answered at the address from which it wrote.
    if (conversation.replyTo.length > 0) return 'other_person';
    const firstStatus = await CHANNELS[record.channel].firstStatus(tx, conversation);
    // The contact would get nothing, but the team would see an answered conversation.
    if (firstStatus === 'held_for_paywall') return 'not_sendable';
    const sendStatus = firstStatus === 'sending' ? 'queued' : firstStatus;
    const now = new Date();
    const at = { workspaceId, conversationId };
    const { message, insert } = outgoingMessage({ ...at, actor: ACTOR, content, sendStatus, now });
    const change = joinChanges([
      changeOf({
        columns: { lastMessageAt: now, waitingSince: null },
        rows: [
          insert,
          Prisma.sql`update messages set agent_decision = 'answered' where id = ${messageId}::uuid`,
        ],
        // Sent even if this worker dies, and by email where a mail server that hangs delays nothing else.
        jobs: sendStatus === 'queued' ? [sendJob(message.id, record)] : [],
        events: sentEvents(message),
      }),
      setStatus(record, { status: nextStatus, now }),
    ]);
    await persistChange(tx, conversation, { actor: ACTOR, change, now });
    return message;
  });
}

/**
 * Returns true when anyone, including the agent, wrote after the message, a teammate's reply is about to be sent, or a teammate
 * changed the contact, who did not write the message (docs/rulings.md 3.44).
 */
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
      select from pending_replies where conversation_id = ${conversationId}::uuid and problem is null and not sends_later
    ) or exists (
      select from contact_offers o join messages asked on asked.id = ${messageId}::uuid
      where o.conversation_id = ${conversationId}::uuid and o.accepted_at > asked.created_at
    ) as "isTakenCareOf"`;
  return row?.isTakenCareOf ?? true;
}
