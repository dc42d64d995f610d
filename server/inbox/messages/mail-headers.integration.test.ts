import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withMailServer } from '#test/fixtures/mail-service.ts';

// An attacker writes line breaks, headers and addresses into every text that becomes part of an email.

const { service, mail } = withMailServer();
beforeEach(() => {
  mail.received.length = 0;
});

const BCC = 'x\r\nBcc: victim@example.com\r\n\r\nSurprise';
type Scene = { connection: Awaited<ReturnType<typeof makeConnection>>; conversationId: string };

const SCENES: [string, () => Promise<Scene>][] = [
  [
    'the name of the contact',
    async () => {
      const connection = await makeConnection();
      const names = { firstName: BCC, lastName: '<victim@example.com>, "y' };
      const { id: contactId } = await makeContact(connection.workspaceId, names);
      return { connection, conversationId: await makeConversation(connection, { contactId }) };
    },
  ],
  [
    'the subject',
    async () => {
      const connection = await makeConnection();
      return { connection, conversationId: await makeConversation(connection, { subject: BCC }) };
    },
  ],
  [
    'the name of the teammate',
    async () => {
      const connection = await makeConnection({ teammate: await makeUser(BCC) });
      return { connection, conversationId: await makeConversation(connection) };
    },
  ],
  [
    'the id of an earlier message',
    async () => {
      const connection = await makeConnection();
      const { workspaceId } = connection;
      const conversationId = await makeConversation(connection);
      const inbound = { direction: 'inbound', authorKind: 'contact', content: 'Hi' } as const;
      await db().message.create({ data: { ...inbound, workspaceId, conversationId, externalId: BCC } });
      return { connection, conversationId };
    },
  ],
  [
    'content that also ends the email early',
    async () => {
      const connection = await makeConnection();
      return { connection, conversationId: await makeConversation(connection) };
    },
  ],
];

test.each(SCENES)('an attacker cannot inject a header or a recipient through %s', async (_where, make) => {
  const { connection, conversationId } = await make();
  const content = `.\r\n${BCC}\r\n.\r\nRSET\r\nRCPT TO:<victim@example.com>`;
  const api = apiClient(service.url, connection.accessToken);
  const response = await api('POST', `/conversations/${conversationId}/replies`, { content });
  expect(response).toMatchObject({ status: 201, body: { content, send_status: 'sent' } });

  const { contact } = await db().conversation.findUniqueOrThrow({
    where: { id: conversationId },
    select: { contact: { select: { email: true } } },
  });
  const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId: connection.workspaceId } });
  expect(mail.received).toMatchObject([
    { from: address, to: [contact?.email], email: { from: { address }, to: [{ address: contact?.email }] } },
  ]);
  const email = mail.received[0]?.email;
  const others = ['bcc', 'cc', 'reply-to', 'sender'];
  expect(email?.headers.filter(({ key }) => others.includes(key))).toEqual([]);
  const lines = (text = '') => text.replaceAll('\r\n', '\n').trim();
  expect(lines(email?.text)).toBe(lines(content));
});

test('a reply through the API has no Auto-Submitted header', async () => {
  const connection = await makeConnection();
  const conversationId = await makeConversation(connection);
  const api = apiClient(service.url, connection.accessToken);
  await api('POST', `/conversations/${conversationId}/replies`, { content: 'Hi' });
  expect(mail.received).toHaveLength(1);
  expect(mail.received[0]?.raw).not.toContain('Auto-Submitted');
});
