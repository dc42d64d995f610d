import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { formattedText } from '#server/contract/formatted-text.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { listMessages } from '#server/inbox/messages/list-messages.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { makeChatWriter } from '#test/clients/chat-client.ts';
import { loggedEvents } from '#test/database/recorded-events.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { refuseMail, resend } from '#test/fixtures/failed-replies-test.ts';
import { formattedLines, makeFormatted } from '#test/fixtures/formatted.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { forgetJobs } from '#test/fixtures/queued-jobs.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

/** The agent's screens, and a conversation with functions for formatted replies in it. */
const test = mailTest
  .extend('agent', async ({ teammates }) => (await signInTeammate(teammates.agent))())
  .extend('conversation', async ({ teammates: { workspaceId, agent: teammate } }) => {
    const { id: contactId } = await makeContact(workspaceId, { email: 'ada@example.com' });
    return makeConversation({ workspaceId, teammate }, { contactId });
  })
  .extend('reply', ({ agent, conversation }) => {
    type Fields = Partial<Parameters<typeof agent.composer.reply>[0]>;
    const schedule = async (fields: Fields = {}): Promise<string> => {
      const id = randomUUID();
      const formatted = makeFormatted();
      await agent.composer.reply({
        conversationId: conversation,
        id,
        content: 'ignored',
        formatted,
        ...fields,
      });
      return id;
    };
    const send = async (id: string) => {
      await sendPendingReply(id);
      await sendQueuedMessage(id);
      return id;
    };
    return { schedule, send };
  });

test.beforeEach(async ({ service: _ }) => forgetJobs());

const BOLD = 'Hello <strong>Ada</strong>';

describe('a formatted reply', () => {
  test('arrives as HTML and as plain text, and is shown in the thread', async ({
    agent,
    conversation,
    mail,
    reply,
  }) => {
    const id = await reply.send(await reply.schedule());
    const [received] = mail.received;
    expect(received?.email.html).toContain(BOLD);
    expect(received?.email.html).toContain('<a href="https://acme.test/1">your order</a></li></ul>');
    expect(received?.email.text?.trim()).toBe(formattedLines());
    const view = await agent.conversations.get({ id: conversation });
    expect(view?.conversation.items.find((item) => item.id === id)).toMatchObject({
      content: formattedLines(),
      formatted: makeFormatted(),
    });
  });

  test('is plain text for programs and in events', async ({ teammates, conversation, reply }) => {
    const { workspaceId, owner } = teammates;
    await makeApiToken({ where: { workspaceId, by: owner } });
    const id = await reply.send(await reply.schedule());
    const listed = await listMessages(
      sql(),
      { workspaceId, conversationId: conversation },
      { limit: 5, after: null },
    );
    expect(listed.map(({ item }) => item)).toMatchObject([{ id, content: formattedLines() }]);
    expect(JSON.stringify(listed)).not.toContain('"bold"');
    const sent = (await loggedEvents(workspaceId)).filter(({ event }) => event === 'reply.sent');
    expect(sent).toMatchObject([{ reply: { content: formattedLines() } }]);
    expect(JSON.stringify(sent)).not.toContain('"bold"');
  });

  test('keeps its formatting in the list of pending replies and when it is undone', async ({
    agent,
    conversation,
    reply,
  }) => {
    const id = await reply.schedule();
    expect((await agent.conversations.get({ id: conversation }))?.composer.pending).toMatchObject([
      { id, content: formattedLines(), formatted: makeFormatted() },
    ]);
    expect(await agent.composer.cancelReply({ id })).toMatchObject({
      content: formattedLines(),
      formatted: makeFormatted(),
    });
  });

  test('keeps it when it is sent later, at another time, and again after a failure', async ({
    agent,
    conversation,
    mail,
    reply,
    teammates,
  }) => {
    const later = await reply.schedule({ sendAt: new Date(Date.now() + 3_600_000) });
    const { id } = await agent.composer.rescheduleReply({ id: later, sendAt: null, seen: [] });
    refuseMail(mail);
    await reply.send(id);
    mail.respond();
    mail.received.length = 0;
    await resend(teammates, conversation, id);
    await sendQueuedMessage(id);
    expect(mail.received.map(({ email }) => email.html)).toEqual([expect.stringContaining(BOLD)]);
  });

  test('is validated by its plain text', async ({ reply }) => {
    await expect(reply.schedule({ formatted: formattedText(' \n') })).rejects.toThrow('The reply is empty.');
    await expect(reply.schedule({ formatted: formattedText('x'.repeat(8_001)) })).rejects.toThrow('8,000');
    const linked = makeFormatted('x'.repeat(7_990));
    await expect(reply.schedule({ formatted: linked })).rejects.toThrow('8,000 characters');
  });

  test('that has only lines is stored as plain text', async ({ conversation, reply }) => {
    await reply.schedule({ formatted: formattedText('Hello\n\nBye') });
    expect(await db().pendingReply.findMany({ where: { conversationId: conversation } })).toMatchObject([
      { content: 'Hello\n\nBye', formatted: null },
    ]);
  });

  test('is plain text on a channel that cannot show it', async ({ teammates, reply }) => {
    const { workspaceId, owner: teammate } = teammates;
    const conversationId = await makeConversation({ workspaceId, teammate }, { channel: 'telegram' });
    await reply.schedule({ conversationId });
    expect(await db().pendingReply.findMany({ where: { conversationId } })).toMatchObject([
      { content: formattedLines(), formatted: null },
    ]);
  });

  test('is shown with its formatting in the web chat', async ({ service, teammates, reply }) => {
    const { id: conversationId, see } = await makeChatWriter(service.url, teammates.workspaceId);
    const id = await reply.send(await reply.schedule({ conversationId }));
    expect((await see()).messages).toMatchObject([
      { content: 'Where is my order?', formatted: null },
      { id, content: formattedLines(), formatted: makeFormatted() },
    ]);
  });
});

describe('a draft', () => {
  const EMPTY = { content: '', answers: null, copies: null, files: [], savedReplyIds: [] };

  test.for([
    ['formatted', makeFormatted(), formattedLines()],
    ['of lines', formattedText('Hello\n\n'), 'Hello\n\n'],
  ] as const)('that is %s returns the same JSON', async ([, formatted, content], { agent, conversation }) => {
    await agent.composer.saveDraft({ ...EMPTY, conversationId: conversation, version: 0, formatted });
    const draft = (await agent.conversations.get({ id: conversation }))?.composer.draft;
    expect(draft).toMatchObject({ version: 1, content });
    expect(JSON.stringify(draft?.formatted)).toBe(JSON.stringify(formatted));
    const { newer } = await agent.composer.saveDraft({ ...EMPTY, conversationId: conversation, version: 0 });
    expect(newer).toMatchObject({ version: 1, content, formatted });
  });

  test('is empty without visible text, and once it was sent', async ({ agent, conversation, reply }) => {
    const save = (version: number, formatted: unknown) =>
      agent.composer.saveDraft({ ...EMPTY, conversationId: conversation, version, formatted });
    const stored = () => db().replyDraft.findUniqueOrThrow({ where: { conversationId: conversation } });
    await save(0, formattedText(' \n'));
    expect(await stored()).toMatchObject({ isEmpty: true, formatted: null });
    await save(1, makeFormatted());
    expect(await stored()).toMatchObject({ isEmpty: false, formatted: makeFormatted() });
    await reply.schedule({ draftVersion: 2 });
    expect(await stored()).toMatchObject({ isEmpty: true, content: '', formatted: null });
  });

  test('that is far too long is refused', async ({ agent, conversation }) => {
    const formatted = formattedText('x'.repeat(16_001));
    await expect(
      agent.composer.saveDraft({ ...EMPTY, conversationId: conversation, version: 0, formatted }),
    ).rejects.toThrow('8,000 characters');
  });

  test('that a server of the last release changes loses its formatting', async ({ agent, conversation }) => {
    const formatted = makeFormatted();
    await agent.composer.saveDraft({ ...EMPTY, conversationId: conversation, version: 0, formatted });
    await db()
      .$executeRaw`update reply_drafts set content = 'Hello' where conversation_id = ${conversation}::uuid`;
    expect((await agent.conversations.get({ id: conversation }))?.composer.draft).toMatchObject({
      content: 'Hello',
      formatted: null,
    });
  });
});
