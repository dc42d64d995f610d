import { contactName } from '#server/contacts/contact-record.ts';
import { db } from '#server/core/database/prisma.ts';
import { isSearchLanguage } from '#server/core/search-languages.ts';
import type { ActorKind, ConversationStatus } from '#server/generated/prisma/enums.ts';
import type { AgentQuestion, NextStatus } from '#server/inbox/ai-agent/ai-agent.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';

/** Maximum number of messages passed to the agent. */
const MESSAGES_MAX = 50;
/** Age limit of a message, in ms. Older messages are left to the team: a late answer helps no one. */
const ANSWER_WITHIN_MS = 15 * 60_000;

/** A contact's message that the agent may answer, as loaded before the conversation is locked. */
export type Question = {
  messageId: string;
  workspaceId: string;
  conversationId: string;
  /** Recipient address of an answer by email; null on other channels. */
  mailTo: string | null;
  question: AgentQuestion;
};

/**
 * Returns true when the agent may answer in a conversation: the conversation is open, nobody silenced the agent there,
 * and the workspace has enabled the agent. Test conversations work even while the agent is disabled.
 */
export function mayAnswer(
  conversation: { status: ConversationStatus } & Pick<
    LockedConversation,
    'mergedIntoId' | 'removal' | 'isTest' | 'aiAgentSilenced' | 'aiAgentEnabled'
  >,
): boolean {
  const { status, mergedIntoId, removal, isTest, aiAgentSilenced, aiAgentEnabled } = conversation;
  const isReachable = mergedIntoId === null && removal === null;
  return status === 'open' && isReachable && !aiAgentSilenced && (aiAgentEnabled || isTest);
}

/**
 * Loads the context of a message for the agent, in one round trip. Returns undefined when the agent must not answer,
 * for example an email whose sender is not verified (`docs/rulings.md` 3.29), or that forbids automatic answers (3.20).
 */
export async function loadQuestion(messageId: string): Promise<Question | undefined> {
  const message = await db().message.findUnique({
    where: { id: messageId, direction: 'inbound' },
    select: {
      createdAt: true,
      senderVerified: true,
      forbidsAnswers: true,
      conversation: {
        select: {
          id: true,
          subject: true,
          channel: true,
          status: true,
          mergedIntoId: true,
          removal: true,
          isTest: true,
          contactClaimed: true,
          aiAgentSilenced: true,
          contact: { select: { email: true, firstName: true, lastName: true } },
          messages: {
            select: { id: true, authorKind: true, content: true },
            where: { direction: { not: 'forward' } },
            orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
            take: MESSAGES_MAX,
          },
        },
      },
      workspace: {
        select: {
          id: true,
          deletedAt: true,
          aiAgentEnabled: true,
          searchLanguage: true,
          savedAnswers: { select: { question: true, answer: true, nextStatus: true } },
        },
      },
    },
    relationLoadStrategy: 'join',
  });
  if (!message || message.workspace.deletedAt) return undefined;
  const { conversation, workspace } = message;
  if (!mayAnswer({ ...conversation, aiAgentEnabled: workspace.aiAgentEnabled })) return undefined;
  if (Date.now() - message.createdAt.getTime() > ANSWER_WITHIN_MS) return undefined;
  if (conversation.messages[0]?.id !== messageId) return undefined;
  const { contact, contactClaimed } = conversation;
  const isMail = conversation.channel === 'email';
  if (isMail && (message.senderVerified !== true || message.forbidsAnswers)) return undefined;
  return {
    messageId,
    workspaceId: workspace.id,
    conversationId: conversation.id,
    mailTo: isMail ? (contact?.email ?? null) : null,
    question: {
      subject: conversation.subject,
      channel: conversation.channel,
      // A visitor may only claim to be the contact, and the agent could reveal the contact's name.
      contactName: contact === null || contactClaimed ? null : contactName(contact),
      language: isSearchLanguage(workspace.searchLanguage) ? workspace.searchLanguage : 'simple',
      messages: conversation.messages
        .toReversed()
        .map(({ authorKind, content }) => ({ from: writerOf(authorKind), content })),
      savedAnswers: workspace.savedAnswers.map((saved) => ({
        ...saved,
        nextStatus: toNextStatus(saved.nextStatus),
      })),
    },
  };
}

function writerOf(kind: ActorKind): 'contact' | 'teammate' | 'ai_agent' {
  return kind === 'contact' || kind === 'ai_agent' ? kind : 'teammate';
}

/** Narrows the status type. A check constraint allows only these two values. */
export function toNextStatus(status: ConversationStatus): NextStatus {
  return status === 'solved' ? 'solved' : 'pending';
}
