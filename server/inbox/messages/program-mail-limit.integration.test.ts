import { expect } from 'vitest';
import type { ReplyRecord } from '#server/contract/record-schemas.ts';
import { consumeLimit, LIMITS } from '#server/core/limits/limits.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { test } from '#test/fixtures/mail-test.ts';

test('after 30 emails from programs to one address within an hour, further ones fail with a sentence', async ({
  api,
  connection,
  mail,
}) => {
  const { workspaceId, teammate } = connection;
  const { id: contactId } = await makeContact(workspaceId, { email: 'loop@elsewhere.test' });
  const id = await makeConversation(connection, { contactId });
  const reply = async (conversationId = id) =>
    (await api('POST', `/conversations/${conversationId}/replies`, { content: 'Hello' })).body as ReplyRecord;

  expect(await reply()).toMatchObject({ send_status: 'sent', delivery_error: null });
  const domain = mail.received[0]?.email.from?.address?.split('@')[1];
  const used = await consumeLimit(
    'program_mail',
    `${domain} loop@elsewhere.test`,
    LIMITS.program_mail.points - 2,
  );
  expect(used.remaining).toBe(1);
  expect(await reply()).toMatchObject({ send_status: 'sent' });
  expect(await reply()).toMatchObject({
    send_status: 'failed',
    delivery_error:
      'More than 30 automatic messages went to this address within an hour, so this one was not sent. Check whether two systems are replying to each other, and try again in an hour.',
  });
  expect(mail.received).toHaveLength(2);

  const actor = { kind: 'teammate' as const, teammate };
  const own = await sendReply({ workspaceId, id, actor, content: 'From a person' });
  expect(own.send_status).toBe('sent');
  const other = await makeContact(workspaceId, { email: 'other@elsewhere.test' });
  expect(await reply(await makeConversation(connection, { contactId: other.id }))).toMatchObject({
    send_status: 'sent',
  });
});
