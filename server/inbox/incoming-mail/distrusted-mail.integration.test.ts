import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { withReceivedMail } from '#test/fixtures/received-mail.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const { mail, bring, messages, newest, events, reply, first } = withReceivedMail();

describe('an attacker who', () => {
  test('writes under a contact’s address joins no thread, and is marked as not verified', async () => {
    await bring(rawMail({ From: 'Charles <charles@bank.test>', 'Message-ID': '<b@bank.test>' }), {
      from: 'charles@bank.test',
    });
    const [theirs] = await messages();
    await reply(theirs?.conversationId ?? '');
    const [ours] = mail.outgoing.received;
    for (const to of [mail.mailbox, ours?.email.replyTo?.[0]?.address ?? '']) {
      await bring(
        rawMail(
          {
            From: 'Charles <charles@bank.test>',
            'Message-ID': `<${randomUUID()}@bank.test>`,
            'In-Reply-To': ours?.email.messageId ?? '',
          },
          'Pay me',
        ),
        { to, from: 'mallory@evil.test' },
      );
      const spoofed = await newest();
      expect(spoofed).toMatchObject({
        content: 'Pay me',
        senderVerified: false,
        conversation: { contactClaimed: true },
      });
      expect(spoofed?.conversationId).not.toBe(theirs?.conversationId);
    }
  });

  test('has another contact’s reply address starts a separate conversation', async () => {
    const { conversationId } = await first();
    const to = signedAddress('reply', conversationId, mail.domain);
    await bring(rawMail({ From: 'mallory@evil.test' }, 'Hi'), { to, from: 'mallory@evil.test' });
    expect(await newest()).toMatchObject({
      content: 'Hi',
      conversation: { contact: { email: 'mallory@evil.test' } },
    });
    expect((await newest())?.conversationId).not.toBe(conversationId);
  });

  test('reuses a stored Message-ID, or one of ours, suppresses no mail', async () => {
    const { mailReferences, conversationId } = await first();
    await reply(conversationId);
    const ids = [mailReferences[0]?.messageIdHeader ?? '', mail.outgoing.received[0]?.email.messageId ?? ''];
    for (const id of ids) {
      await bring(rawMail({ From: 'mallory@evil.test', 'Message-ID': id }, `Mine ${id}`), {
        from: 'mallory@evil.test',
      });
      expect(await newest()).toMatchObject({ content: `Mine ${id}` });
    }
  });

  test('reports a bounce of our mail changes nothing without its bounce address', async () => {
    const { conversationId } = await first();
    await reply(conversationId);
    await bring(bounce(mail.outgoing.received[0]?.email.messageId ?? ''), { from: '' });
    expect(await db().message.findFirst({ where: { conversationId, direction: 'outbound' } })).toMatchObject({
      sendStatus: 'sent',
    });
  });
});

const bounce = (messageId: string) =>
  rawMail(
    {
      From: 'MAILER-DAEMON@mx.acme.test',
      Subject: 'Undelivered',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=d',
    },
    `--d\r\nContent-Type: text/plain\r\n\r\nIt came back.\r\n--d\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.acme.test\r\n\r\nFinal-Recipient: rfc822; ada@acme.test\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\r\n\r\n--d\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${messageId}\r\n--d--`,
  );

test('a bounce sets its message to failed with the reason, and notifies the author once', async () => {
  const { conversationId } = await first();
  await reply(conversationId);
  const before = await events();
  const [ours] = mail.outgoing.received;
  for (let times = 0; times < 2; times += 1) {
    await bring(bounce(ours?.email.messageId ?? ''), { from: '', to: ours?.from ?? '' });
  }
  const message = await db().message.findFirstOrThrow({ where: { conversationId, direction: 'outbound' } });
  expect(message).toMatchObject({
    sendStatus: 'failed',
    deliveryError: 'The mail server of ada@acme.test returned the email: 550 5.1.1 User unknown.',
  });
  expect(
    await db().notification.count({ where: { userId: mail.teammates.agent.id, kind: 'message_failed' } }),
  ).toBe(1);
  expect(await events()).toEqual(before);
  expect(await newest()).toMatchObject({ conversationId, automatic: true, content: 'It came back.' });
});

describe('automatic mail', () => {
  const AUTO = { 'Auto-Submitted': 'auto-replied' };
  test('joins its thread, marked as automatic, and reopens nothing', async () => {
    const { conversationId, mailReferences } = await first();
    const answers = { 'In-Reply-To': mailReferences[0]?.messageIdHeader ?? '' };
    for (const status of ['solved', 'closed'] as const) {
      await db().conversation.update({
        where: { id: conversationId },
        data: { status, resolvedAt: new Date() },
      });
      const before = await events();
      await bring(rawMail({ ...AUTO, ...answers, 'Message-ID': `<${status}@acme.test>` }, 'I am away.'));
      expect(await newest()).toMatchObject({ conversationId, automatic: true, conversation: { status } });
      expect(await events()).toEqual(before);
    }
  });

  test('creates a contact and a conversation, but starts no AI agent and no SLA clock, and emits no message.received', async () => {
    await db().workspace.update({
      where: { id: mail.teammates.workspaceId },
      data: { aiAgentEnabled: true, slaFirstResponseMinutes: 5 },
    });
    await bring(rawMail({ 'List-Id': '<news.acme.test>', 'Message-ID': '<n@acme.test>' }, 'News'));
    expect(await newest()).toMatchObject({ automatic: true });
    expect(await events()).toEqual(['contact.created', 'conversation.created']);
    expect(await db().slaClock.count({ where: { workspaceId: mail.teammates.workspaceId } })).toBe(0);
    expect(await db().outboxJob.count({ where: { task: 'answer-contact' } })).toBe(0);
  });
});
