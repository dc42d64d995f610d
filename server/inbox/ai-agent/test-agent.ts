import { validate as isUuid } from 'uuid';
import { textProblem } from '#server/contract/fields.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';
import type { AiAgent } from '#server/inbox/ai-agent/ai-agent.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import type { IncomingMessage } from '#server/inbox/messages/incoming-message.ts';
import { receiveNew } from '#server/inbox/messages/receive-message.ts';

/** A test conversation with the agent. `answered` is true when the agent answered the last message. */
export type AgentTestView = {
  conversationId: string;
  status: ConversationStatus;
  answered: boolean;
  messages: { id: string; from: 'tester' | 'agent'; content: string }[];
};

/** Maximum length of a test message, in code points. */
const TEST_MESSAGE_MAX_LENGTH = 4_000;

/**
 * Sends a test message to the AI agent as a contact would. The conversation is invisible elsewhere: no event, list,
 * count, search or notification includes it. Works even while the agent is disabled for contacts.
 * @param conversationId the test to continue; null starts a new test
 * @returns the test after the agent's turn
 * @throws Refusal when the message is empty or too long, or the conversation is not a test of this workspace
 */
export async function testAgent(
  agent: AiAgent,
  input: { workspaceId: string; conversationId: string | null; content: string },
): Promise<AgentTestView> {
  const { workspaceId, conversationId } = input;
  const content = input.content.trim();
  const problem =
    content === ''
      ? 'Write a message first.'
      : textProblem(content, { label: 'message', max: TEST_MESSAGE_MAX_LENGTH });
  if (problem) throw invalid({ content: [problem] });
  if (conversationId !== null) await requireTest({ workspaceId, id: conversationId });
  const message: IncomingMessage = {
    workspaceId,
    channel: 'webchat',
    isTest: true,
    content,
    externalId: null,
  };
  const contact = { fields: { name: 'Test contact' } };
  const target = { conversationId, contact, contactClaimed: false };
  const received = await receiveNew(message, { kind: 'known', target });
  const outcome = await answerContact(agent, received);
  return { ...(await readTest(received.conversationId)), answered: outcome === 'answered' };
}

/** Refuses conversations of a contact that is being erased, which are marked as tests and deleted. */
async function requireTest({ workspaceId, id }: { workspaceId: string; id: string }): Promise<void> {
  const test = { workspaceId, id, isTest: true, removal: null };
  const isThere = isUuid(id) && (await db().conversation.count({ where: test })) > 0;
  if (!isThere) throw notFound('The test');
}

async function readTest(conversationId: string): Promise<Omit<AgentTestView, 'answered'>> {
  const { status, messages } = await db().conversation.findUniqueOrThrow({
    where: { id: conversationId },
    select: {
      status: true,
      messages: {
        select: { id: true, direction: true, content: true },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: 100,
      },
    },
    relationLoadStrategy: 'join',
  });
  return {
    conversationId,
    status,
    messages: messages.toReversed().map(({ id, direction, content }) => ({
      id,
      from: direction === 'inbound' ? 'tester' : 'agent',
      content,
    })),
  };
}

/**
 * Deletes a test conversation and its contact. Does nothing for other conversations, and for a test that another
 * conversation was merged into.
 */
export async function removeTestConversation(conversationId: string): Promise<void> {
  const [test] = await sql().$queryRaw<{ contactId: string | null }[]>`
    select contact_id as "contactId" from conversations where id = ${conversationId}::uuid and is_test`;
  if (!test) return;
  await inTransaction(async (tx) => {
    await tx.conversation.deleteMany({
      where: { id: conversationId, isTest: true, mergedFrom: { none: {} } },
    });
    if (test.contactId === null) return;
    await tx.contact.deleteMany({
      where: { id: test.contactId, isTest: true, conversations: { none: {} } },
    });
  });
}
