import { beforeEach, describe, expect, test } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { lockConversation } from '#server/inbox/conversations/lock-conversation.ts';
import type { Received } from '#server/inbox/messages/incoming-message.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { recordedEventsOf } from '#test/database/recorded-events.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { type Incoming, incoming } from '#test/fixtures/incoming.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';

withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  connection = await makeConnection();
});

const receive = (given: Incoming = {}) => receiveMessage(...incoming(connection.workspaceId, given));
const merge = (id: string, intoId: string) => mergeAs(connection, id, intoId);

describe('a message received during a merge of its conversation', () => {
  test('waits for the merge and is added to the target', async () => {
    const [one, other] = [await makeConversation(connection), await makeConversation(connection)];
    let received = Promise.resolve<Received>({ messageId: '', conversationId: '', contactId: null });
    await inTransaction(async (tx) => {
      await lockConversation(tx, { workspaceId: connection.workspaceId, id: one });
      received = receive({ conversationId: one });
      await until('the message waits for the conversation', async () => (await countLockWaiters()) === 1);
      await tx.conversation.update({ where: { id: one }, data: { mergedIntoId: other } });
    });
    expect((await received).conversationId).toBe(other);
  });

  test('is added to one of the two conversations', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [one, other] = [await makeConversation(connection), await makeConversation(connection)];
      const [received] = await Promise.all([receive({ conversationId: one }), merge(one, other)]);
      expect([one, other]).toContain(received.conversationId);
      const message = await db().message.findUniqueOrThrow({ where: { id: received.messageId } });
      expect(message.conversationId).toBe(received.conversationId);
      const event = (await recordedEventsOf(connection.workspaceId, 'message.received')).at(-1);
      expect(event?.conversation.id).toBe(received.conversationId);
    }
  });
});
