import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { loadQuestion } from '#server/inbox/ai-agent/load-question.ts';
import { mergeConversations } from '#server/inbox/conversations/merge-conversations.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { receiveMessage } from '#server/inbox/messages/receive-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import type { PersonalActor } from '#server/teammates/actor.ts';
import { makeChatVisitor, viewOf } from '#test/clients/chat-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { incoming } from '#test/fixtures/incoming.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let workspaceId: string;
let actor: Extract<PersonalActor, { kind: 'teammate' }>;
let email: string;
beforeEach(async () => {
  const connection = await makeConnection();
  workspaceId = connection.workspaceId;
  actor = { kind: 'teammate', teammate: connection.teammate };
  email = `${randomUUID()}@example.com`;
});

const texts = ({ messages }: { messages: { content: string }[] }) => messages.map(({ content }) => content);
const reply = (id: string, content: string) => sendReply({ workspaceId, id, actor, content });
const merge = (id: string, intoId: string) => mergeConversations({ workspaceId, id, intoId, actor });
const set = (id: string, status: 'solved' | 'closed') =>
  updateConversation({ workspaceId, id, actor, changes: { status } });

/** Creates a visitor who has written, with the id of their conversation. */
async function makeWriter(content: string, who: { name?: string; email?: string } = {}) {
  const visitor = await makeChatVisitor(service.url, workspaceId);
  const { conversationId } = viewOf(await visitor.write({ content, ...who }));
  if (conversationId === null) throw new Error('There is no conversation.');
  return { ...visitor, id: conversationId };
}

/** Creates a visitor whose address was entered by the team and not claimed in the chat. */
async function makeKnownWriter(content: string) {
  const writer = await makeWriter(content, { name: 'Ada' });
  const { contactId } = await db().conversation.findUniqueOrThrow({ where: { id: writer.id } });
  await db().contact.update({
    where: { workspaceId_id: { workspaceId, id: contactId ?? '' } },
    data: { email },
  });
  return writer;
}

const isClaimed = async (id: string) =>
  (await db().conversation.findUniqueOrThrow({ where: { id } })).contactClaimed;

describe('the attacker who enters the address of somebody else', () => {
  test('reads no reply in a chat of that contact after a merge, even if they keep writing', async () => {
    const ada = await makeKnownWriter('Where is my parcel?');
    const mallory = await makeWriter('Where is my order?', { email });
    await merge(mallory.id, ada.id);
    await reply(ada.id, 'Your door code is 1234');
    await mallory.write({ content: 'Anything new?' });
    await reply(ada.id, 'And your PIN is 4321');
    await set(ada.id, 'solved');
    const view = await mallory.see();
    expect(texts(view)).toEqual(['Where is my order?', 'Anything new?']);
    expect([view.ended, view.rating]).toEqual([null, null]);
    expect(texts(await ada.see())).toEqual([
      'Where is my parcel?',
      'Your door code is 1234',
      'And your PIN is 4321',
    ]);
  });

  test('reads no reply after two merges, or after starting another chat', async () => {
    const ada = await makeKnownWriter('Where is my parcel?');
    const mallory = await makeWriter('One', { email });
    await set(mallory.id, 'closed');
    const { conversationId: second } = viewOf(await mallory.write({ content: 'Two' }));
    await merge(mallory.id, second ?? '');
    await merge(second ?? '', ada.id);
    await reply(ada.id, 'Your door code is 1234');
    expect(texts(await mallory.see())).toEqual(['Two']);
  });

  test('cannot open a file of the contact, see that the conversation is solved, or rate it', async () => {
    const ada = await makeKnownWriter('Here');
    const mallory = await makeWriter('Hello', { email });
    await merge(mallory.id, ada.id);
    await ada.write({ content: 'A file', files: [new File(['secret'], 'secret.txt')] });
    const file = await db().attachment.findFirstOrThrow({ where: { workspaceId } });
    expect((await mallory.ask('GET', `attachments/${file.id}`)).status).toBe(404);
    await set(ada.id, 'solved');
    expect((await mallory.post('rating', { score: 1 })).status).toBe(422);
    expect(await db().rating.count({ where: { workspaceId } })).toBe(0);
  });

  test('gets no conversation merged into theirs, where they would read the replies; the other direction is allowed', async () => {
    const mail = await receiveMessage(
      ...incoming(workspaceId, {
        channel: 'email',
        contact: { fields: { email } },
        content: 'My account number?',
      }),
    );
    const mallory = await makeWriter('Hello', { email });
    await expect(merge(mail.conversationId, mallory.id)).rejects.toMatchObject({
      refusal: 'invalid',
      errors: {
        conversation: [
          expect.stringMatching(/unverified address.*Open that conversation and merge it into this one\.$/),
        ],
      },
    });
    await merge(mallory.id, mail.conversationId);
    expect(texts(await mallory.see())).toEqual(['Hello']);
  });

  test('gets no conversation of another visitor with the same address merged, in either direction', async () => {
    const [eve, mallory] = [await makeWriter('One', { email }), await makeWriter('Two', { email })];
    for (const [id, intoId] of [
      [eve.id, mallory.id],
      [mallory.id, eve.id],
    ] as const) {
      await expect(merge(id, intoId)).rejects.toMatchObject({
        errors: { conversation: [expect.stringMatching(/Reply to each in their own conversation\.$/)] },
      });
    }
  });

  test('gets no conversation merged into a chat of theirs that was merged before', async () => {
    const mallory = await makeWriter('One', { email });
    await set(mallory.id, 'closed');
    const { conversationId: second } = viewOf(await mallory.write({ content: 'Two' }));
    const ada = await makeWriter('Where is my parcel?', { name: 'Ada' });
    await merge(mallory.id, second ?? '');
    await expect(merge(ada.id, second ?? '')).rejects.toMatchObject({ refusal: 'invalid' });
  });

  test('learns no name from the AI agent, which is not given one', async () => {
    await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
    await receiveMessage(...incoming(workspaceId, { contact: { fields: { name: 'Ada', email } } }));
    const nameForAgent = async (id: string) => {
      const message = await db().message.findFirstOrThrow({ where: { conversationId: id } });
      return (await loadQuestion(message.id))?.question.contactName;
    };
    const mallory = await makeWriter('Who am I?', { email });
    const bob = await makeWriter('Who am I?', { name: 'Bob' });
    expect([await nameForAgent(mallory.id), await nameForAgent(bob.id)]).toEqual([null, 'Bob']);
  });

  test('is marked as unverified, also in the next conversation; the owner of the address is not', async () => {
    const mail = await receiveMessage(
      ...incoming(workspaceId, { contact: { fields: { name: 'Ada', email } } }),
    );
    const mallory = await makeWriter('Hello', { name: 'Mallory', email });
    expect([await isClaimed(mail.conversationId), await isClaimed(mallory.id)]).toEqual([false, true]);
    await set(mallory.id, 'closed');
    const { conversationId } = viewOf(await mallory.write({ content: 'Again' }));
    expect(await isClaimed(conversationId ?? '')).toBe(true);
  });
});

test('a visitor with a new address is marked too, and one with only a name is not', async () => {
  const [ada, bob] = [await makeWriter('Hello', { email }), await makeWriter('Hello', { name: 'Bob' })];
  expect([await isClaimed(ada.id), await isClaimed(bob.id)]).toEqual([true, false]);
});

test('a visitor reads replies in another chat of theirs after a merge', async () => {
  const ada = await makeWriter('One', { email });
  await set(ada.id, 'closed');
  const { conversationId: second } = viewOf(await ada.write({ content: 'Two' }));
  await merge(second ?? '', ada.id);
  await reply(ada.id, 'Here is the answer to both.');
  expect(texts(await ada.see())).toContain('Here is the answer to both.');
});
