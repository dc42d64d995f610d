import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { addNote } from '#server/inbox/conversations/add-note.ts';
import { conversationIdOf, viewOf } from '#test/clients/chat-client.ts';
import { recordedEvents, recordedEventsOf } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/chat-test.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';

describe('a visitor of the web chat', () => {
  test('becomes a new contact with a new conversation, and sees the message', async ({
    workspaceId,
    newVisitor,
  }) => {
    const visitor = await newVisitor();
    expect(await visitor.see()).toEqual({
      conversationId: null,
      messages: [],
      ended: null,
      rating: null,
      isIntroduced: false,
      closed: null,
    });
    const id = randomUUID();
    const response = await visitor.write({ id, name: 'Ada Lovelace', email: ' Ada@Example.com ' });
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const view = viewOf(response);
    expect(view).toMatchObject({
      isIntroduced: true,
      messages: [{ clientId: id, authorName: null, content: 'Hello', attachments: [] }],
    });
    const [contact, conversation, message, ...more] = await recordedEvents(workspaceId);
    expect(more).toEqual([]);
    expect(contact).toMatchObject({ event: 'contact.created' });
    expect(conversation).toMatchObject({
      event: 'conversation.created',
      conversation: { channel: 'webchat', contact: { email: null, name: 'Ada Lovelace' } },
    });
    expect(message).toMatchObject({ event: 'message.received' });
  });

  test('sees replies with a first name, and nothing internal of the team', async ({
    workspaceId,
    actor,
    makeWriter,
    reply,
  }) => {
    const { id, see } = await makeWriter();
    await planAndWrite((tx) => addNote(tx, { workspaceId, id, actor, content: 'A difficult customer' }));
    await reply(id, 'It is on its way.');
    await db().pendingReply.create({
      data: {
        workspaceId,
        conversationId: id,
        authorId: actor.teammate.id,
        content: 'Not sent yet',
        sendAt: new Date(Date.now() + 5_000),
      },
    });
    const view = await see();
    expect(texts(view)).toEqual(['Where is my order?', 'It is on its way.']);
    expect(view.messages[1]).toMatchObject({ authorName: 'Olivia', clientId: null });
    expect(JSON.stringify(view)).not.toMatch(/difficult|Not sent|Owen|@/);
  });

  test('sends a message once, even in repeated and simultaneous requests', async ({
    workspaceId,
    newVisitor,
  }) => {
    const { write, see } = await newVisitor();
    const id = randomUUID();
    const responses = await Promise.all(Array.from({ length: 5 }, () => write({ id })));
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(201));
    await write({ id, content: 'Another text' });
    expect(texts(await see())).toEqual(['Hello']);
    expect(await db().conversation.count({ where: { workspaceId } })).toBe(1);
  });

  test('gets one conversation for simultaneous first messages', async ({ workspaceId, newVisitor }) => {
    const { write, see } = await newVisitor();
    await Promise.all(['a', 'b', 'c', 'd'].map((content) => write({ content, name: 'Ada' })));
    expect(texts(await see()).sort()).toEqual(['a', 'b', 'c', 'd']);
    expect(await db().conversation.count({ where: { workspaceId } })).toBe(1);
    expect(await db().contact.count({ where: { workspaceId } })).toBe(1);
  });

  test('starts another conversation as the same contact after the first was closed', async ({
    workspaceId,
    makeWriter,
    setStatus,
  }) => {
    const { id, write, see } = await makeWriter({ name: 'Ada' });
    await setStatus(id, 'closed');
    expect((await see()).ended).toBe('closed');
    const next = viewOf(await write({ content: 'One more thing', name: 'Somebody else' }));
    expect(next).toMatchObject({ ended: null, messages: [{ content: 'One more thing' }] });
    expect(next.conversationId).not.toBe(id);
    const contacts = await db().conversation.findMany({
      where: { workspaceId },
      select: { contactId: true },
    });
    expect(new Set(contacts.map(({ contactId }) => contactId)).size).toBe(1);
  });

  test('sees HTML in a message as text', async ({ newVisitor }) => {
    const content = '<img src=x onerror="alert(1)"> {{constructor}} \u202E';
    const { write } = await newVisitor();
    const response = await write({ content });
    expect(texts(viewOf(response))).toEqual([content]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('an address that a visitor enters', () => {
  test('neither joins the contact with this address nor reveals anything about them', async ({
    workspaceId,
    makeWriter,
    reply,
  }) => {
    const email = `${randomUUID()}@example.com`;
    const before = incoming(workspaceId, {
      contact: { fields: { name: 'Ada', email } },
      content: 'My secret',
    });
    const { contactId, conversationId } = await receiveMessage(...before);
    await reply(conversationId, 'A confidential answer');
    const { id, see } = await makeWriter({ name: 'Eve', email });
    const found = await db().conversation.findUniqueOrThrow({ where: { id } });
    expect(found.contactId).not.toBe(contactId);
    const view = await see();
    expect(texts(view)).toEqual(['Where is my order?']);
    expect(JSON.stringify(view)).not.toMatch(/Ada|secret|confidential/);
  });

  test('is refused when it belongs to the team, and nothing is stored', async ({
    workspaceId,
    actor,
    newVisitor,
  }) => {
    const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
    for (const email of [mailbox.address, actor.teammate.email.toUpperCase()]) {
      const { write, see } = await newVisitor();
      const { status, body } = await write({ email });
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: { email: [expect.stringContaining('belongs to the team')] } });
      expect((await see()).messages).toEqual([]);
    }
    expect(await db().message.count({ where: { workspaceId } })).toBe(0);
  });

  test('is refused when it is invalid', async ({ newVisitor }) => {
    const { write } = await newVisitor();
    const { status, body } = await write({ email: 'ada@' });
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({
        errors: { email: ['The email address must be a valid email address, such as ada@example.com.'] },
      }),
    ]);
  });
});

describe('after a conversation was merged', () => {
  test('into one of another contact, the visitor only sees their own messages', async ({
    makeWriter,
    reply,
    setStatus,
    merge,
  }) => {
    const mallory = await makeWriter({ name: 'Mallory' });
    const ada = await makeWriter({ name: 'Ada' });
    await reply(mallory.id, 'Hello Mallory');
    await reply(ada.id, 'Your password is 1234');
    await merge(mallory.id, ada.id);
    await reply(ada.id, 'And your PIN is 4321');
    await mallory.write({ content: 'Are you there?' });
    await ada.write({ content: 'Thank you' });
    await setStatus(ada.id, 'solved');
    const view = await mallory.see();
    expect(texts(view)).toEqual(['Where is my order?', 'Hello Mallory', 'Are you there?']);
    expect([view.ended, view.rating]).toEqual([null, null]);
    expect(texts(await ada.see())).toEqual([
      'Where is my order?',
      'Your password is 1234',
      'And your PIN is 4321',
      'Thank you',
    ]);
    // The messages they send go to the conversation that the team reads.
    expect(await db().message.count({ where: { conversationId: ada.id, content: 'Are you there?' } })).toBe(
      1,
    );
  });

  test('into another one of the visitor, they see later replies there', async ({
    makeWriter,
    reply,
    setStatus,
    merge,
  }) => {
    const ada = await makeWriter({ email: `${randomUUID()}@example.com` });
    await reply(ada.id, 'Before');
    await setStatus(ada.id, 'closed');
    const second = conversationIdOf(viewOf(await ada.write({ content: 'One more thing' })));
    await setStatus(second, 'closed');
    await merge(second, ada.id);
    await reply(ada.id, 'After');
    expect(texts(await ada.see())).toEqual(['Where is my order?', 'One more thing', 'After']);
    expect((await ada.see()).ended).toBe('closed');
  });

  test('into an email conversation, email replies are not shown in the chat', async ({
    workspaceId,
    makeWriter,
    merge,
  }) => {
    const email = `${randomUUID()}@example.com`;
    const mail = await receiveMessage(
      ...incoming(workspaceId, { channel: 'email', contact: { fields: { email } }, content: 'By mail' }),
    );
    const visitor = await makeWriter({ email });
    await merge(visitor.id, mail.conversationId);
    await db().message.create({
      data: {
        workspaceId,
        conversationId: mail.conversationId,
        direction: 'outbound',
        authorKind: 'teammate',
        content: 'Answer by mail',
      },
    });
    expect(texts(await visitor.see())).toEqual(['Where is my order?']);
  });
});

describe('a rating', () => {
  test('is possible once the conversation is solved, and can be corrected without a notification', async ({
    workspaceId,
    makeWriter,
    reply,
    setStatus,
  }) => {
    const { id, post, see, write } = await makeWriter();
    expect((await post('rating', { score: 5 })).status).toBe(422);
    await reply(id, 'Solved');
    await setStatus(id, 'solved');
    expect(await see()).toMatchObject({ ended: 'solved', rating: null });
    expect(viewOf(await post('rating', { score: 2, comment: ' Slow ' })).rating).toEqual({
      score: 2,
      comment: 'Slow',
    });
    expect(viewOf(await post('rating', { score: 4 })).rating).toEqual({ score: 4, comment: null });
    const rated = () => recordedEventsOf(workspaceId, 'conversation.rated');
    expect(await rated()).toMatchObject([{ rating: { score: 2, comment: 'Slow' } }]);
    expect(viewOf(await write({ content: 'Wait' }))).toMatchObject({ ended: null, rating: null });
    await setStatus(id, 'solved');
    expect(await see()).toMatchObject({ ended: 'solved', rating: null });
    await post('rating', { score: 5 });
    await post('rating', { score: 1 });
    expect((await rated()).map(({ rating }) => rating.score)).toEqual([2, 5]);
  });

  test.for<Record<string, unknown>>([
    {},
    { score: 0 },
    { score: 6 },
    { score: 2.5 },
    { score: '5' },
    { score: 5, comment: 'x'.repeat(2_001) },
  ])('that is invalid is refused (%#)', async (body, { workspaceId, makeWriter, setStatus }) => {
    const { id, post } = await makeWriter();
    await setStatus(id, 'solved');
    expect((await post('rating', body)).status).toBe(422);
    expect(await db().rating.count({ where: { workspaceId } })).toBe(0);
  });
});

const texts = ({ messages }: { messages: { content: string }[] }) => messages.map(({ content }) => content);
