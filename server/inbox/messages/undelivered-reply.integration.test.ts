import { describe, expect } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { type ConversationColumns, makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/mail-test.ts';

describe('a reply is saved and held', () => {
  test.for(heldReplies())('%s, and nothing is sent', async ([_when, make], { mail, service }) => {
    const { connection, columns } = await make();
    const { message, ...response } = await reply(service, connection, columns);
    expect(response).toEqual({ send_status: 'held_for_paywall', delivery_error: null, content: 'Hello Ada' });
    expect(message).toMatchObject({ sendStatus: 'held_for_paywall', deliveryError: null });
    expect(mail.received).toEqual([]);
  });

  test('but never on another channel', async ({ service }) => {
    const starter = await makeConnection({ plan: 'starter' });
    expect(await reply(service, starter, { channel: 'webchat' })).toMatchObject({ send_status: null });
    expect(await reply(service, starter, { channel: 'slack' })).toMatchObject({ send_status: 'failed' });
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

  test('when the mail server refuses it, without revealing the server’s response', async ({
    mail,
    service,
  }) => {
    mail.respond(() => {
      throw new Error('550 blocked by secret-internal-host');
    });
    const connection = await makeConnection();
    expect(await reply(service, connection)).toMatchObject(failed(REFUSED));
    expect(mail.received).toHaveLength(1);
    mail.respond();
    expect(await reply(service, connection)).toMatchObject({ send_status: 'sent' });
  });

  test('when the contact has no email address', async ({ mail, service }) => {
    const connection = await makeConnection();
    const { id: contactId } = await makeContact(connection.workspaceId, { email: null });
    expect(await reply(service, connection, { contactId })).toMatchObject(failed(NO_ADDRESS));
    expect(mail.received).toEqual([]);
  });

  test('when the conversation has no contact', async ({ mail, service }) => {
    expect(await reply(service, await makeConnection(), { contactId: null })).toMatchObject(
      failed(NO_ADDRESS),
    );
    expect(mail.received).toEqual([]);
  });
});

type Connected = Awaited<ReturnType<typeof makeConnection>>;

/** Replies in a conversation with these columns. Returns the response and the stored message. */
async function reply({ url }: { url: string }, connection: Connected, columns: ConversationColumns = {}) {
  const api = apiClient(url, connection.accessToken);
  const conversationId = await makeConversation(connection, columns);
  const path = `/conversations/${conversationId}/replies`;
  const { status, body } = await api('POST', path, { content: 'Hello Ada' });
  expect(status).toBe(201);
  const { send_status, delivery_error, content, id } = body as ReplyRecord;
  const message = await db().message.findUniqueOrThrow({ where: { id } });
  expect(message).toMatchObject({ content, conversationId });
  return { send_status, delivery_error, content, message };
}

type Held = { connection: Connected; columns: ConversationColumns };

/** Conditions under which a reply is held, each with a function that creates the connection. */
function heldReplies(): [string, () => Promise<Held>][] {
  const held = (fields: Parameters<typeof makeWorkspace>[0]) => async () => {
    const connection = await makeConnection({ workspaceId: (await makeWorkspace(fields)).id });
    return { connection, columns: {} };
  };
  return [
    ['on Starter', held({ plan: 'starter' })],
    ['on Starter with a domain that was verified earlier', held({ plan: 'starter', verified: true })],
    ['without a verified domain', held({ verified: false })],
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
}
