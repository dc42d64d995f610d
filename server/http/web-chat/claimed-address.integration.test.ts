import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { loadQuestion } from '#server/inbox/ai-agent/load-question.ts';
import { type makeChatVisitor, viewOf } from '#test/clients/chat-client.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { test as chatTest } from '#test/fixtures/chat-test.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';

const test = chatTest.extend('email', () => `${randomUUID()}@example.com`);

describe('the attacker who enters the address of somebody else', () => {
  test('reads no reply in a chat of that contact after a merge, even if they keep writing', async ({
    workspaceId,
    newVisitor,
    reply,
    setStatus,
    merge,
    email,
  }) => {
    const ada = await makeKnownWriter(workspaceId, newVisitor, email, 'Where is my parcel?');
    const mallory = await makeWriter(newVisitor, 'Where is my order?', { email });
    await merge(mallory.id, ada.id);
    await reply(ada.id, 'Your door code is 1234');
    await mallory.write({ content: 'Anything new?' });
    await reply(ada.id, 'And your PIN is 4321');
    await setStatus(ada.id, 'solved');
    const view = await mallory.see();
    expect(texts(view)).toEqual(['Where is my order?', 'Anything new?']);
    expect([view.ended, view.rating]).toEqual([null, null]);
    expect(texts(await ada.see())).toEqual([
      'Where is my parcel?',
      'Your door code is 1234',
      'And your PIN is 4321',
    ]);
  });

  test('reads no reply after two merges, or after starting another chat', async ({
    workspaceId,
    newVisitor,
    reply,
    setStatus,
    merge,
    email,
  }) => {
    const ada = await makeKnownWriter(workspaceId, newVisitor, email, 'Where is my parcel?');
    const mallory = await makeWriter(newVisitor, 'One', { email });
    await setStatus(mallory.id, 'closed');
    const { conversationId: second } = viewOf(await mallory.write({ content: 'Two' }));
    await merge(mallory.id, second ?? '');
    await merge(second ?? '', ada.id);
    await reply(ada.id, 'Your door code is 1234');
    expect(texts(await mallory.see())).toEqual(['Two']);
  });

  test('cannot open a file of the contact, see that the conversation is solved, or rate it', async ({
    workspaceId,
    newVisitor,
    setStatus,
    merge,
    email,
  }) => {
    const ada = await makeKnownWriter(workspaceId, newVisitor, email, 'Here');
    const mallory = await makeWriter(newVisitor, 'Hello', { email });
    await merge(mallory.id, ada.id);
    await ada.write({ content: 'A file', files: [new File(['secret'], 'secret.txt')] });
    const file = await db().attachment.findFirstOrThrow({ where: { workspaceId } });
    expect((await mallory.request('GET', `attachments/${file.id}`)).status).toBe(404);
    await setStatus(ada.id, 'solved');
    expect((await mallory.post('rating', { score: 1 })).status).toBe(422);
    expect(await db().rating.count({ where: { workspaceId } })).toBe(0);
  });

  test('gets no conversation merged into theirs, where they would read the replies; the other direction is allowed', async ({
    workspaceId,
    newVisitor,
    merge,
    email,
  }) => {
    const mail = await receiveMessage(
      ...incoming(workspaceId, {
        channel: 'email',
        contact: { fields: { email } },
        content: 'My account number?',
      }),
    );
    const mallory = await makeWriter(newVisitor, 'Hello', { email });
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

  test('gets no conversation of another visitor with the same address merged, in either direction', async ({
    newVisitor,
    merge,
    email,
  }) => {
    const [eve, mallory] = [
      await makeWriter(newVisitor, 'One', { email }),
      await makeWriter(newVisitor, 'Two', { email }),
    ];
    for (const [id, intoId] of [
      [eve.id, mallory.id],
      [mallory.id, eve.id],
    ] as const) {
      await expect(merge(id, intoId)).rejects.toMatchObject({
        errors: { conversation: [expect.stringMatching(/Reply to each in their own conversation\.$/)] },
      });
    }
  });

  test('gets no conversation merged into a chat of theirs that was merged before', async ({
    newVisitor,
    setStatus,
    merge,
    email,
  }) => {
    const mallory = await makeWriter(newVisitor, 'One', { email });
    await setStatus(mallory.id, 'closed');
    const { conversationId: second } = viewOf(await mallory.write({ content: 'Two' }));
    const ada = await makeWriter(newVisitor, 'Where is my parcel?', { name: 'Ada' });
    await merge(mallory.id, second ?? '');
    await expect(merge(ada.id, second ?? '')).rejects.toMatchObject({ refusal: 'invalid' });
  });

  test('appears in no event, sample or search as the contact who has the address', async ({
    api,
    workspaceId,
    newVisitor,
    email,
  }) => {
    const ada = await receiveMessage(
      ...incoming(workspaceId, { contact: { fields: { name: 'Ada', email, phone: '+44 20 7946 0000' } } }),
    );
    const mallory = await makeWriter(newVisitor, 'Send it to me', { email });
    const [message] = (await recordedEvents(workspaceId)).flatMap((event) =>
      event.event === 'message.received' && event.conversation.id === mallory.id ? [event] : [],
    );
    expect(message?.conversation.contact).toMatchObject({ name: null, email: null, phone: null });
    expect(message?.conversation.contact?.id).not.toBe(ada.contactId);
    expect(JSON.stringify(message)).not.toContain(email);
    const { body: samples } = await api('GET', '/triggers/message.received/samples');
    expect(samples).toContainEqual(
      expect.objectContaining({
        conversation: expect.objectContaining({
          id: mallory.id,
          contact: expect.objectContaining({ email: null }),
        }),
      }),
    );
    // A workflow that replies to the newest conversation of this address writes to Ada.
    const { body: found } = await api('GET', `/conversations/search?contact_email=${email}`);
    expect(found).toMatchObject([{ id: ada.conversationId }]);
    expect(found).toHaveLength(1);
  });

  test('cannot get the mail of its owner by claiming it first; the owner becomes a separate contact', async ({
    api,
    workspaceId,
    newVisitor,
    email,
  }) => {
    const mallory = await makeWriter(newVisitor, 'Hello', { email });
    expect((await api('GET', `/contacts/search?email=${email}`)).body).toEqual([]);
    const mail = await receiveMessage(
      ...incoming(workspaceId, { channel: 'email', contact: { fields: { email } }, content: 'My PIN?' }),
    );
    const { contactId } = await db().conversation.findUniqueOrThrow({ where: { id: mallory.id } });
    expect(mail.contactId).not.toBe(contactId);
    expect((await api('GET', `/contacts/search?email=${email}`)).body).toMatchObject([
      { id: mail.contactId },
    ]);
    expect((await api('GET', `/conversations/search?contact_email=${email}`)).body).toMatchObject([
      { id: mail.conversationId },
    ]);
  });

  test('learns no name from the AI agent, which is not given one', async ({
    workspaceId,
    newVisitor,
    email,
  }) => {
    await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
    await receiveMessage(...incoming(workspaceId, { contact: { fields: { name: 'Ada', email } } }));
    const nameForAgent = async (id: string) => {
      const message = await db().message.findFirstOrThrow({ where: { conversationId: id } });
      const asked = await loadQuestion(message.id);
      return typeof asked === 'object' ? asked.question.contactName : asked;
    };
    const mallory = await makeWriter(newVisitor, 'Who am I?', { email });
    const bob = await makeWriter(newVisitor, 'Who am I?', { name: 'Bob' });
    expect([await nameForAgent(mallory.id), await nameForAgent(bob.id)]).toEqual([null, 'Bob']);
  });

  test('is marked as unverified, including in the next conversation; the owner of the address is not', async ({
    workspaceId,
    newVisitor,
    setStatus,
    email,
  }) => {
    const mail = await receiveMessage(
      ...incoming(workspaceId, { contact: { fields: { name: 'Ada', email } } }),
    );
    const mallory = await makeWriter(newVisitor, 'Hello', { name: 'Mallory', email });
    expect([await isClaimed(mail.conversationId), await isClaimed(mallory.id)]).toEqual([false, true]);
    await setStatus(mallory.id, 'closed');
    const { conversationId } = viewOf(await mallory.write({ content: 'Again' }));
    expect(await isClaimed(conversationId ?? '')).toBe(true);
  });
});

test('a visitor with a new address is marked too, and one with only a name is not', async ({
  newVisitor,
  email,
}) => {
  const [ada, bob] = [
    await makeWriter(newVisitor, 'Hello', { email }),
    await makeWriter(newVisitor, 'Hello', { name: 'Bob' }),
  ];
  expect([await isClaimed(ada.id), await isClaimed(bob.id)]).toEqual([true, false]);
});

test('a visitor reads replies in another chat of theirs after a merge', async ({
  newVisitor,
  reply,
  setStatus,
  merge,
  email,
}) => {
  const ada = await makeWriter(newVisitor, 'One', { email });
  await setStatus(ada.id, 'closed');
  const { conversationId: second } = viewOf(await ada.write({ content: 'Two' }));
  await setStatus(second ?? '', 'closed');
  await merge(second ?? '', ada.id);
  await reply(ada.id, 'Here is the answer to both.');
  expect(texts(await ada.see())).toContain('Here is the answer to both.');
});

const texts = ({ messages }: { messages: { content: string }[] }) => messages.map(({ content }) => content);

/** Creates a visitor who has written, with the id of their conversation. */
async function makeWriter(
  newVisitor: NewVisitor,
  content: string,
  who: { name?: string; email?: string } = {},
) {
  const visitor = await newVisitor();
  const { conversationId } = viewOf(await visitor.write({ content, ...who }));
  if (conversationId === null) throw new Error('There is no conversation.');
  return { ...visitor, id: conversationId };
}

/** Creates a visitor whose address was entered by the team and not claimed in the chat. */
async function makeKnownWriter(workspaceId: string, newVisitor: NewVisitor, email: string, content: string) {
  const writer = await makeWriter(newVisitor, content, { name: 'Ada' });
  const { contactId } = await db().conversation.findUniqueOrThrow({ where: { id: writer.id } });
  await db().contact.update({
    where: { workspaceId_id: { workspaceId, id: contactId ?? '' } },
    data: { email },
  });
  return writer;
}

const isClaimed = async (id: string) =>
  (await db().conversation.findUniqueOrThrow({ where: { id } })).contactClaimed;

type NewVisitor = () => ReturnType<typeof makeChatVisitor>;
