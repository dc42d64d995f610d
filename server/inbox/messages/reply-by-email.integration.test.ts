import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withMailServer } from '#test/fixtures/mail-service.ts';

let connection: Awaited<ReturnType<typeof makeConnection>>;
let mailbox: string;
const { service, mail } = withMailServer();
beforeEach(async () => {
  connection = await makeConnection();
  const { workspaceId } = connection;
  mailbox = (await db().mailbox.findFirstOrThrow({ where: { workspaceId } })).address;
});

async function reply(conversationId: string, content = 'Hello Ada'): Promise<ReplyRecord> {
  const api = apiClient(service.url, connection.accessToken);
  const { status, body } = await api('POST', `/conversations/${conversationId}/replies`, { content });
  expect(status).toBe(201);
  return body as ReplyRecord;
}

const saved = (id: string) => db().message.findUniqueOrThrow({ where: { id } });

test('a reply is sent over SMTP within the request, from the mailbox, in the name of the teammate', async () => {
  const { id: contactId } = await makeContact(connection.workspaceId, { email: 'ada@example.com' });
  const body = await reply(
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
  expect(await saved(body.id)).toMatchObject({ sendStatus: 'sent', externalId: email?.messageId });
});

test('a reply is sent from the mailbox of the conversation, even if another is the default', async () => {
  const { workspaceId } = connection;
  const { id: emailDomainId } = await db().emailDomain.findFirstOrThrow({ where: { workspaceId } });
  const address = `billing@${mailbox.split('@')[1]}`;
  const billing = await db().mailbox.create({
    data: { workspaceId, address, name: 'Billing', emailDomainId },
  });
  await reply(await makeConversation(connection, { mailboxId: billing.id }));
  await reply(await makeConversation(connection, { mailboxId: null }));
  expect(mail.received.map(({ from }) => from)).toEqual([address, mailbox]);
});

describe('a reply belongs to the thread of the conversation', () => {
  const earlier = (conversationId: string, externalId: string | null, minute: number) => ({
    workspaceId: connection.workspaceId,
    conversationId,
    direction: 'inbound' as const,
    authorKind: 'contact' as const,
    content: 'Where is it?',
    externalId,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, minute)),
  });

  test('with References to the earlier messages, oldest first, and In-Reply-To the newest', async () => {
    const id = await makeConversation(connection);
    await db().message.createMany({
      data: [earlier(id, '<two@x.test>', 2), earlier(id, '<one@x.test>', 1), earlier(id, null, 3)],
    });
    await db().message.create({ data: earlier(await makeConversation(connection), '<else@x.test>', 4) });
    await reply(id);
    await reply(id);
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

  test.each([
    ['Order', 'Re: Order'],
    ['Re: Order', 'Re: Order'],
    ['RE:Order', 'RE:Order'],
    ['Regarding: Order', 'Re: Regarding: Order'],
    ['Grüße ✨', 'Re: Grüße ✨'],
    [null, 'Re:'],
  ])('with the subject %j sent as %j', async (subject, answered) => {
    const id = await makeConversation(connection, { subject });
    await db().message.create({ data: earlier(id, `<${id}@x.test>`, 1) });
    await reply(id);
    expect(mail.received[0]?.email.subject).toBe(answered);
  });

  test('with References to the newest twenty messages at most', async () => {
    const id = await makeConversation(connection);
    const minutes = Array.from({ length: 30 }, (_, minute) => minute);
    await db().message.createMany({
      data: minutes.map((minute) => earlier(id, `<${minute}@x.test>`, minute)),
    });
    await reply(id);
    const newest = minutes.slice(-20).map((minute) => `<${minute}@x.test>`);
    expect(mail.received[0]?.email.references?.split(/\s+/)).toEqual(newest);
  });
});
