import { contactName } from '#server/contacts/contact-record.ts';
import { db } from '#server/core/database/prisma.ts';
import type { ActorKind, ConversationStatus } from '#server/generated/prisma/enums.ts';
import type { AgentQuestion, NextStatus } from '#server/inbox/ai-agent/ai-agent.ts';
import type { LockedConversation } from '#server/inbox/conversations/lock-conversation.ts';

/** So much of the conversation the agent gets, in messages. */
const MESSAGES_MAX = 50;
/** A message that waited longer is the team's: an answer out of the blue helps no one, in milliseconds. */
const ANSWER_WITHIN_MS = 15 * 60_000;

/** A contact's message that the agent may answer, as far as is known before the conversation is locked. */
export type Question = {
  messageId: string;
  workspaceId: string;
  conversationId: string;
  /** The address that an answer is mailed to; null on other channels. */
  mailTo: string | null;
  question: AgentQuestion;
};

/**
 * Whether the agent answers in a conversation at all: it is open, no one has silenced the agent, and the
 * workspace has switched it on. Testing it works also while it is off.
 */
export function mayAnswer(
  conversation: { status: ConversationStatus } & Pick<
    LockedConversation,
    'mergedIntoId' | 'isTest' | 'aiAgentSilenced' | 'aiAgentEnabled'
  >,
): boolean {
  const { status, mergedIntoId, isTest, aiAgentSilenced, aiAgentEnabled } = conversation;
  return status === 'open' && mergedIntoId === null && !aiAgentSilenced && (aiAgentEnabled || isTest);
}

/**
 * Reads what the agent needs to answer a message; undefined when it is not to answer, as to a mail whose sender is not
 * verified (decisions: conversations and contacts, 29). One round trip.
 */
export async function loadQuestion(messageId: string): Promise<Question | undefined> {
  const message = await db().message.findUnique({
    where: { id: messageId, direction: 'inbound' },
    select: {
      createdAt: true,
      senderVerified: true,
      conversation: {
        select: {
          id: true,
          subject: true,
          channel: true,
          status: true,
          mergedIntoId: true,
          isTest: true,
          contactClaimed: true,
          aiAgentSilenced: true,
          contact: { select: { email: true, firstName: true, lastName: true } },
          messages: {
            select: { id: true, authorKind: true, content: true },
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
  const isMail = conversation.channel === 'email';
  if (isMail && message.senderVerified !== true) return undefined;
  return {
    messageId,
    workspaceId: workspace.id,
    conversationId: conversation.id,
    mailTo: isMail ? (conversation.contact?.email ?? null) : null,
    question: {
      subject: conversation.subject,
      channel: conversation.channel,
      contactName: nameForAgent(conversation),
      messages: conversation.messages
        .toReversed()
        .map(({ authorKind, content }) => ({ from: writerOf(authorKind), content })),
      savedAnswers: workspace.savedAnswers.map((saved) => ({
        ...saved,
        nextStatus: asNext(saved.nextStatus),
      })),
    },
  };
}

/** Null for a contact that a visitor only claims to be: the agent might reveal the name to the visitor. */
function nameForAgent({
  contact,
  contactClaimed,
}: {
  contact: { firstName: string | null; lastName: string | null } | null;
  contactClaimed: boolean;
}): string | null {
  return contact === null || contactClaimed ? null : contactName(contact);
}

function writerOf(kind: ActorKind): 'contact' | 'teammate' | 'ai_agent' {
  return kind === 'contact' || kind === 'ai_agent' ? kind : 'teammate';
}

/** A check of the database lets nothing else in. */
export function asNext(status: ConversationStatus): NextStatus {
  return status === 'solved' ? 'solved' : 'pending';
}
