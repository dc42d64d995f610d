import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { type ConversationColumns, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { withMailServer } from '#test/fixtures/mail-service.ts';

const { service, mail } = withMailServer();
beforeEach(() => {
  mail.received.length = 0;
  mail.respond();
});

type Connected = Awaited<ReturnType<typeof makeConnection>>;

/** Replies in a conversation with these columns. Returns the response and the stored message. */
async function reply(connection: Connected, columns: ConversationColumns = {}) {
  const conversationId = await makeConversation(connection, columns);
  const api = apiClient(service.url, connection.accessToken);
  const path = `/conversations/${conversationId}/replies`;
  const { status, body } = await api('POST', path, { content: 'Hello Ada' });
  expect(status).toBe(201);
  const { send_status, delivery_error, content, id } = body as ReplyRecord;
  const message = await db().message.findUniqueOrThrow({ where: { id } });
  expect(message).toMatchObject({ content, conversationId });
  return { send_status, delivery_error, content, message };
}

const held = (make: () => ReturnType<typeof makeWorkspace>) => async () => {
  const connection = await makeConnection({ workspaceId: (await make()).id });
  return { connection, columns: {} };
};

describe('a reply is saved and held', () => {
  const cases: [string, () => Promise<{ connection: Connected; columns: ConversationColumns }>][] = [
    ['on Starter', held(() => makeWorkspace({ plan: 'starter' }))],
    [
      'on Starter with a domain that was verified earlier',
      held(() => makeWorkspace({ plan: 'starter', verified: true })),
    ],
    ['without a verified domain', held(() => makeWorkspace({ verified: false }))],
    [
      'when only the default mailbox is on a verified domain, not the one of the conversation',
      async () => {
        const connection = await makeConnection();
        const { workspaceId } = connection;
        const data = { workspaceId, address: `other@${workspaceId}.test`, name: 'Other' };
        const { id: mailboxId } = await db().mailbox.create({ data });
        return { connection, columns: { mailboxId } };
      },
    ],
    [
      'without a mailbox',
      async () => {
        const connection = await makeConnection();
        await db().mailbox.deleteMany({ where: { workspaceId: connection.workspaceId } });
        return { connection, columns: {} };
      },
    ],
  ];

  test.each(cases)('%s, and nothing is sent', async (_when, make) => {
    const { connection, columns } = await make();
    const { message, ...response } = await reply(connection, columns);
    expect(response).toEqual({ send_status: 'held_for_paywall', delivery_error: null, content: 'Hello Ada' });
    expect(message).toMatchObject({ sendStatus: 'held_for_paywall', deliveryError: null });
    expect(mail.received).toEqual([]);
  });

  test('but never on another channel', async () => {
    const starter = await makeConnection({ plan: 'starter' });
    expect(await reply(starter, { channel: 'webchat' })).toMatchObject({ send_status: null });
    expect(await reply(starter, { channel: 'slack' })).toMatchObject({ send_status: 'failed' });
  });
});

describe('a reply that could not be sent is saved as failed', () => {
  const failed = (sentence: string) => ({
    send_status: 'failed',
    delivery_error: sentence,
    content: 'Hello Ada',
    message: { sendStatus: 'failed', deliveryError: sentence, externalId: null },
  });
  const REFUSED = 'The mail server did not accept the message.';
  const NO_ADDRESS = 'There is no email address to send this to, or no mailbox to send it from.';

  test('when the mail server refuses it, without revealing the server’s response', async () => {
    mail.respond(() => {
      throw new Error('550 blocked by secret-internal-host');
    });
    const connection = await makeConnection();
    expect(await reply(connection)).toMatchObject(failed(REFUSED));
    expect(mail.received).toHaveLength(1);
    mail.respond();
    expect(await reply(connection)).toMatchObject({ send_status: 'sent' });
  });

  test('when the contact has no email address', async () => {
    const connection = await makeConnection();
    const { id: contactId } = await makeContact(connection.workspaceId, { email: null });
    expect(await reply(connection, { contactId })).toMatchObject(failed(NO_ADDRESS));
    expect(mail.received).toEqual([]);
  });

  test('when the conversation has no contact', async () => {
    expect(await reply(await makeConnection(), { contactId: null })).toMatchObject(failed(NO_ADDRESS));
    expect(mail.received).toEqual([]);
  });
});
