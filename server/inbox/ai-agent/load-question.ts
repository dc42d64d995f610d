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

/**
 * Why the agent did not answer a message. `not_open`: the conversation was not open, or the agent was switched off or silenced there.
 * `late`: its turn came after `ANSWER_WITHIN_MS`. `written_since`: someone else wrote, or is about to. `unverified`: the sender of the
 * email is not verified. `forbidden`: the email forbids automatic answers. `other_person`: the email is to be answered at another
 * address, or names another person, such as a forward. `no_answer`: the agent had none. `limit`: the recipient got
 * too many automatic emails. `not_sendable`: the channel would not send it. `failed`: the agent failed, or took too long. `merged`: the
 * conversation has messages of another contact since a merge, which its own contact may not read.
 */
export type Silence =
  | 'not_open'
  | 'late'
  | 'written_since'
  | 'unverified'
  | 'forbidden'
  | 'other_person'
  | 'no_answer'
  | 'limit'
  | 'not_sendable'
  | 'failed'
  | 'merged';

/** The column `agent_decision` of a message. */
export type AgentDecision = 'answered' | Silence;

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
 * Loads the context of a message for the agent, in one round trip. Returns the reason when the agent must not answer, for example an
 * email whose sender is not verified (`docs/rulings.md` 3.29), or that forbids automatic answers (3.20). Undefined if there is no such
 * message.
 */
export async function loadQuestion(messageId: string): Promise<Question | Silence | undefined> {
  const message = await db().message.findUnique({
    where: { id: messageId, direction: 'inbound' },
    select: {
      createdAt: true,
      senderVerified: true,
      forbidsAnswers: true,
      replyTo: true,
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
          contactId: true,
          replyTo: true,
          mergedFrom: { select: { contactId: true } },
          contactOffer: { select: { acceptedAt: true, dismissedAt: true } },
          contact: { select: { email: true, firstName: true, lastName: true } },
          messages: {
            select: { id: true, authorKind: true, authorName: true, content: true },
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
  if (!mayAnswer({ ...conversation, aiAgentEnabled: workspace.aiAgentEnabled })) return 'not_open';
  if (Date.now() - message.createdAt.getTime() > ANSWER_WITHIN_MS) return 'late';
  if (conversation.messages[0]?.id !== messageId) return 'written_since';
  const { contact, contactId, contactClaimed, contactOffer } = conversation;
  if (conversation.mergedFrom.some((merged) => merged.contactId !== contactId)) return 'merged';
  const isMail = conversation.channel === 'email';
  if (isMail && message.senderVerified !== true) return 'unverified';
  if (isMail && message.forbidsAnswers) return 'forbidden';
  // The contact is the form or the teammate who sent the question of somebody else, and automatic mail goes to no other address.
  const isOfferOpen = contactOffer !== null && !contactOffer.acceptedAt && !contactOffer.dismissedAt;
  // The conversation also has the address from which a merged contact wrote, without a Reply-To (docs/rulings.md 3.35).
  const asksForOther = message.replyTo.length > 0 || conversation.replyTo.length > 0;
  if (isMail && (isOfferOpen || asksForOther)) return 'other_person';
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
        // Emails of others may be to the team only, and the contact gets the answer.
        .filter(({ authorKind, authorName }) => !isMail || authorKind !== 'contact' || authorName === null)
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
