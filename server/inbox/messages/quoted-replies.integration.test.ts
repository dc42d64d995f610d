import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { cutQuote } from '#server/inbox/mail-parser/cut-quote.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { type Incoming, incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import type { Teammates } from '#test/fixtures/teammates.ts';
import type { ReceivedMail } from '#test/servers/mail-server.ts';

/** `desk`: a conversation by email, with functions for messages of its contact and replies of the agent. */
const test = mailTest.extend('desk', ({ teammates, mail }) => openDesk(teammates, mail));

describe('a reply of a teammate', () => {
  test('quotes the email that it answers below the text, in both bodies', async ({ desk }) => {
    await desk.contactWrites('Where is my <order>?\nAda');
    const { text = '', html = '' } = await desk.reply();
    expect(text).toMatch(
      /^On its way\.\n\nOn \w{3}, \d\d \w{3} \d{4} at \d\d:\d\d UTC, Ada Lovelace wrote:\n\n> Where is my <order>\?\n> Ada\n?$/,
    );
    expect(html).toMatch(
      /UTC, Ada Lovelace wrote:<\/div><blockquote [^>]*>Where is my &lt;order&gt;\?<br>\nAda</,
    );
    const lines = text
      .split('\n')
      .map((line) => ({ text: line, inQuote: line.startsWith('>'), inBlockquote: false }));
    expect(cutQuote(lines, { isForward: false, isReply: true })).toMatchObject({ text: 'On its way.' });
  });

  test('quotes at most 10,000 characters', async ({ desk }) => {
    await desk.contactWrites('x'.repeat(30_000));
    const { text = '' } = await desk.reply();
    expect(text.match(/x/g)).toHaveLength(10_000);
    expect(text.trimEnd()).toMatch(/x…$/);
  });

  test('quotes nothing in a conversation that the contact has not written in', async ({ desk }) => {
    expect((await desk.reply()).text?.trim()).toBe('On its way.');
  });
});

describe('a reply does not quote', () => {
  test.for<[string, Partial<Incoming>]>([
    ['an email that failed authentication', { mail: { ...MAIL(), senderVerified: false } }],
    ['an email of a teammate to the thread', { teammateName: 'Aggie Agent' }],
    ['an automatic email', { automatic: true }],
  ])('%s', async ([_what, input], { desk }) => {
    await desk.contactWrites('Secret', input);
    expect((await desk.reply()).text).not.toContain('Secret');
  });

  test('a merged conversation of another contact', async ({ desk, teammates }) => {
    const stage = { workspaceId: teammates.workspaceId, teammate: teammates.owner };
    await desk.contactWrites('Hello');
    await mergeAs(stage, await makeConversation(stage), desk.conversationId);
    expect((await desk.reply()).text?.trim()).toBe('On its way.');
  });
});

function MAIL() {
  return {
    messageIdHeader: `<${randomUUID()}@example.com>`,
    senderVerified: true,
    to: [],
    cc: [],
    html: null,
    fullContent: null,
    originalFileId: null,
  };
}

async function openDesk(teammates: Teammates, mail: { received: ReceivedMail[] }) {
  const { workspaceId, owner, agent } = teammates;
  const email = `${randomUUID()}@example.com`;
  const { id: contactId } = await makeContact(workspaceId, { email });
  const conversationId = await makeConversation({ workspaceId, teammate: owner }, { contactId });
  return {
    conversationId,
    contactWrites: (content: string, fields: Partial<Incoming> = {}) =>
      receiveMessage(
        ...incoming(workspaceId, {
          channel: 'email',
          conversationId,
          content,
          contact: { fields: { name: 'Ada Lovelace', email } },
          mail: MAIL(),
          ...fields,
        }),
      ),
    /** Sends a reply of the agent and returns the mail. */
    reply: async () => {
      const id = randomUUID();
      await scheduleReply({ workspaceId, conversationId, id, author: agent, content: 'On its way.' });
      await sendPendingReply(id);
      await sendQueuedMessage(id);
      expect(await db().message.findUniqueOrThrow({ where: { id } })).toMatchObject({ sendStatus: 'sent' });
      const received = mail.received.at(-1);
      if (!received) throw new Error('No mail was sent.');
      return { text: received.email.text, html: received.email.html };
    },
  };
}
