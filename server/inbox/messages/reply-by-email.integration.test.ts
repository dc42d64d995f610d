import { describe, expect } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { storedMessage } from '#test/fixtures/stored-rows.ts';

const test = mailTest.extend('mailbox', ({ connection }) => mailboxOf(connection));

test('a reply is sent over SMTP within the request, from the mailbox, in the name of the teammate', async ({
  mail,
  api,
  connection,
  mailbox,
}) => {
  const { id: contactId } = await makeContact(connection.workspaceId, { email: 'ada@example.com' });
  const body = await reply(
    api,
    await makeConversation(connection, { contactId }),
    'Hello Ada ✨\nit is on its way.',
  );
  expect(mail.received).toMatchObject([{ from: mailbox, to: ['ada@example.com'] }]);
  const email = mail.received[0]?.email;
  expect(email).toMatchObject({
    from: { name: 'Olivia Owen', address: mailbox },
    to: [{ name: 'Ada Lovelace', address: 'ada@example.com' }],
    subject: 'Order',
    messageId: `<${body.id}@${mailbox.split('@')[1]}>`,
  });
  expect(email?.text?.trim()).toBe('Hello Ada ✨\nit is on its way.');
  expect(body).toMatchObject({ send_status: 'sent', delivery_error: null });
  expect(await storedMessage(body.id)).toMatchObject({ sendStatus: 'sent', externalId: email?.messageId });
});

test('a reply is sent from the mailbox of the conversation, even if another is the default', async ({
  mail,
  api,
  connection,
  mailbox,
}) => {
  const { workspaceId } = connection;
  const { id: emailDomainId } = await db().emailDomain.findFirstOrThrow({ where: { workspaceId } });
  const address = `billing@${mailbox.split('@')[1]}`;
  const billing = await db().mailbox.create({
    data: { workspaceId, address, name: 'Billing', emailDomainId },
  });
  await reply(api, await makeConversation(connection, { mailboxId: billing.id }));
  await reply(api, await makeConversation(connection, { mailboxId: null }));
  expect(mail.received.map(({ from }) => from)).toEqual([address, mailbox]);
});

describe('a reply belongs to the thread of the conversation', () => {
  const earlier = (
    connection: Connected,
    conversationId: string,
    externalId: string | null,
    minute: number,
  ) => ({
    workspaceId: connection.workspaceId,
    conversationId,
    direction: 'inbound' as const,
    authorKind: 'contact' as const,
    content: 'Where is it?',
    externalId,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  });

  test('with References to the earlier messages, oldest first, and In-Reply-To the newest', async ({
    mail,
    api,
    connection,
  }) => {
    const id = await makeConversation(connection);
    await db().message.createMany({
      data: [
        earlier(connection, id, '<two@x.test>', 2),
        earlier(connection, id, '<one@x.test>', 1),
        earlier(connection, id, null, 3),
      ],
    });
    await db().message.create({
      data: earlier(connection, await makeConversation(connection), '<else@x.test>', 4),
    });
    await reply(api, id);
    await reply(api, id);
    const [first, second] = mail.received.map(({ email }) => email);
    expect(first).toMatchObject({
      subject: 'Re: Order',
      references: '<one@x.test> <two@x.test>',
      inReplyTo: '<two@x.test>',
    });
    expect(second).toMatchObject({
      subject: 'Re: Order',
      references: `<one@x.test> <two@x.test> ${first?.messageId}`,
      inReplyTo: first?.messageId,
    });
  });

  test.for<[string | null, string]>([
    ['Order', 'Re: Order'],
    ['Re: Order', 'Re: Order'],
    ['RE:Order', 'RE:Order'],
    ['Regarding: Order', 'Re: Regarding: Order'],
    ['Grüße ✨', 'Re: Grüße ✨'],
    [null, 'Re:'],
  ])('with the subject %j sent as %j', async ([subject, answered], { mail, api, connection }) => {
    const id = await makeConversation(connection, { subject });
    await db().message.create({ data: earlier(connection, id, `<${id}@x.test>`, 1) });
    await reply(api, id);
    expect(mail.received[0]?.email.subject).toBe(answered);
  });

  test('with References to the newest twenty messages at most', async ({ mail, api, connection }) => {
    const id = await makeConversation(connection);
    const minutes = Array.from({ length: 30 }, (_, minute) => minute);
    await db().message.createMany({
      data: minutes.map((minute) => earlier(connection, id, `<${minute}@x.test>`, minute)),
    });
    await reply(api, id);
    const newest = minutes.slice(-20).map((minute) => `<${minute}@x.test>`);
    expect(mail.received[0]?.email.references?.split(/\s+/)).toEqual(newest);
  });
});

test.for(injections())(
  'an attacker cannot inject a header or a recipient through %s',
  async ([_where, make], { mail, api, connection }) => {
    const conversationId = await make(connection);
    const content = `.\r\n${BCC}\r\n.\r\nRSET\r\nRCPT TO:<victim@example.com>`;
    const response = await api('POST', `/conversations/${conversationId}/replies`, { content });
    expect(response).toMatchObject({ status: 201, body: { content, send_status: 'sent' } });

    const { contact } = await db().conversation.findUniqueOrThrow({
      where: { id: conversationId },
      select: { contact: { select: { email: true } } },
    });
    const { address } = await db().mailbox.findFirstOrThrow({
      where: { workspaceId: connection.workspaceId },
    });
    expect(mail.received).toMatchObject([
      {
        from: address,
        to: [contact?.email],
        email: { from: { address }, to: [{ address: contact?.email }] },
      },
    ]);
    const email = mail.received[0]?.email;
    const others = ['bcc', 'cc', 'reply-to', 'sender'];
    expect(email?.headers.filter(({ key }) => others.includes(key))).toEqual([]);
    const lines = (text = '') => text.replaceAll('\r\n', '\n').trim();
    expect(lines(email?.text)).toBe(lines(content));
  },
);

test('a reply through the API has no Auto-Submitted header', async ({ mail, api, conversation }) => {
  const { body } = await api('POST', `/conversations/${conversation}/replies`, { content: 'Hi' });
  expect(body).toMatchObject({ send_status: 'sent' });
  expect(mail.received).toHaveLength(1);
  expect(mail.received[0]?.raw).not.toContain('Auto-Submitted');
});

async function reply(api: Api, conversationId: string, content = 'Hello Ada'): Promise<ReplyRecord> {
  const { status, body } = await api('POST', `/conversations/${conversationId}/replies`, { content });
  expect(status).toBe(201);
  return body as ReplyRecord;
}

/** Text of an attacker for every field that becomes part of an email: line breaks, headers and addresses. */
const BCC = 'x\r\nBcc: victim@example.com\r\n\r\nSurprise';

/** Texts of an email, each with a function that creates a conversation where an attacker wrote the text. */
function injections(): [string, (connection: Connected) => Promise<string>][] {
  return [
    [
      'the name of the contact',
      async (connection) => {
        const names = { firstName: BCC, lastName: '<victim@example.com>, "y' };
        const { id: contactId } = await makeContact(connection.workspaceId, names);
        return makeConversation(connection, { contactId });
      },
    ],
    ['the subject', (connection) => makeConversation(connection, { subject: BCC })],
    [
      'the name of the teammate',
      async (connection) => {
        await db().user.update({ where: { id: connection.teammate.id }, data: { name: BCC } });
        return makeConversation(connection);
      },
    ],
    [
      'the id of an earlier message',
      async (connection) => {
        const conversationId = await makeConversation(connection);
        const inbound = { direction: 'inbound', authorKind: 'contact', content: 'Hi' } as const;
        const { workspaceId } = connection;
        await db().message.create({ data: { ...inbound, workspaceId, conversationId, externalId: BCC } });
        return conversationId;
      },
    ],
    ['content that also ends the email early', (connection) => makeConversation(connection)],
  ];
}

/** Returns the address of the default mailbox. */
async function mailboxOf({ workspaceId }: Connected): Promise<string> {
  return (await db().mailbox.findFirstOrThrow({ where: { workspaceId } })).address;
}
