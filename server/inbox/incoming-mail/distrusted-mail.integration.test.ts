import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { linkContact } from '#server/inbox/claimed-addresses/link-contact.ts';
import { test } from '#test/fixtures/received-mail-test.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

describe('an attacker who', () => {
  test('forges a contact’s address joins no thread, and the message is marked as not verified', async ({
    mail,
    mailbox,
    inbox,
  }) => {
    await inbox.bring(rawMail({ From: 'Charles <charles@bank.test>', 'Message-ID': '<b@bank.test>' }), {
      from: 'charles@bank.test',
    });
    const [theirs] = await inbox.messages();
    await inbox.reply(theirs?.conversationId ?? '');
    const [ours] = mail.received;
    for (const to of [mailbox.address, ours?.email.replyTo?.[0]?.address ?? '']) {
      await inbox.bring(
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
      const spoofed = await inbox.newest();
      expect(spoofed).toMatchObject({
        content: 'Pay me',
        senderVerified: false,
        conversation: {
          contactClaimed: true,
          contact: { email: null, claimedEmail: 'charles@bank.test' },
        },
      });
      expect(spoofed?.conversationId).not.toBe(theirs?.conversationId);
    }
  });

  test('was linked to the contact once has to be linked again with the next mail', async ({
    mailbox,
    inbox,
  }) => {
    const spoof = async (content: string) => {
      const from = 'mallory@evil.test';
      const headers = { From: 'Charles <charles@bank.test>', 'Message-ID': `<${randomUUID()}@bank.test>` };
      await inbox.bring(rawMail(headers, content), { from });
      return inbox.newest();
    };
    const { workspaceId, agent } = mailbox;
    const owner = await db().contact.create({ data: { workspaceId, email: 'charles@bank.test' } });
    const [first, second] = [await spoof('One'), await spoof('Two')];
    expect(second?.conversation.contactId).toBe(first?.conversation.contactId);
    await linkContact({
      workspaceId,
      conversationId: first?.conversationId ?? '',
      ownerId: owner.id,
      actor: { kind: 'teammate', teammate: agent },
    });
    expect((await spoof('Three'))?.conversation).toMatchObject({
      contactClaimed: true,
      contact: { email: null, claimedEmail: 'charles@bank.test' },
    });
  });

  test('knows another contact’s reply address starts a separate conversation', async ({ mailbox, inbox }) => {
    const { conversationId } = await inbox.first();
    const to = signedAddress('reply', conversationId, mailbox.domain);
    await inbox.bring(rawMail({ From: 'mallory@evil.test' }, 'Hi'), { to, from: 'mallory@evil.test' });
    expect(await inbox.newest()).toMatchObject({
      content: 'Hi',
      conversation: { contact: { email: 'mallory@evil.test' } },
    });
    expect((await inbox.newest())?.conversationId).not.toBe(conversationId);
  });

  test('reuses a stored Message-ID, or one of ours, suppresses no mail', async ({ mail, inbox }) => {
    const { mailReferences, conversationId } = await inbox.first();
    await inbox.reply(conversationId);
    const ids = [mailReferences[0]?.messageIdHeader ?? '', mail.received[0]?.email.messageId ?? ''];
    for (const id of ids) {
      await inbox.bring(rawMail({ From: 'mallory@evil.test', 'Message-ID': id }, `Mine ${id}`), {
        from: 'mallory@evil.test',
      });
      expect(await inbox.newest()).toMatchObject({ content: `Mine ${id}` });
    }
  });

  test('forges a bounce changes nothing without the bounce address', async ({ mail, inbox }) => {
    const { conversationId } = await inbox.first();
    await inbox.reply(conversationId);
    await inbox.bring(bounce(mail.received[0]?.email.messageId ?? ''), { from: '' });
    expect(await db().message.findFirst({ where: { conversationId, direction: 'outbound' } })).toMatchObject({
      sendStatus: 'sent',
    });
  });
});

test('a bounce sets its message to failed with the reason, and notifies the author once', async ({
  teammates,
  mail,
  inbox,
}) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  const before = await inbox.events();
  const [ours] = mail.received;
  for (let times = 0; times < 2; times += 1) {
    await inbox.bring(bounce(ours?.email.messageId ?? ''), { from: '', to: ours?.from ?? '' });
  }
  const message = await db().message.findFirstOrThrow({ where: { conversationId, direction: 'outbound' } });
  expect(message).toMatchObject({
    sendStatus: 'failed',
    deliveryError: 'The mail server of ada@acme.test returned the email: 550 5.1.1 User unknown.',
  });
  expect(
    await db().notification.count({ where: { userId: teammates.agent.id, kind: 'message_failed' } }),
  ).toBe(1);
  expect(await inbox.events()).toEqual(before);
  expect(await inbox.newest()).toMatchObject({ conversationId, automatic: true, content: 'It came back.' });
});

describe('automatic mail', () => {
  const AUTO = { 'Auto-Submitted': 'auto-replied' };
  test('joins its thread, marked as automatic, and reopens nothing', async ({ inbox }) => {
    const { conversationId, mailReferences } = await inbox.first();
    const answers = { 'In-Reply-To': mailReferences[0]?.messageIdHeader ?? '' };
    for (const status of ['solved', 'closed'] as const) {
      await db().conversation.update({
        where: { id: conversationId },
        data: { status, resolvedAt: new Date() },
      });
      const before = await inbox.events();
      await inbox.bring(
        rawMail({ ...AUTO, ...answers, 'Message-ID': `<${status}@acme.test>` }, 'I am away.'),
      );
      expect(await inbox.newest()).toMatchObject({
        conversationId,
        automatic: true,
        conversation: { status },
      });
      expect(await inbox.events()).toEqual(before);
    }
  });

  test('creates a contact and a conversation, but starts no AI agent and no SLA clock, and emits no message.received', async ({
    teammates,
    inbox,
  }) => {
    await db().workspace.update({
      where: { id: teammates.workspaceId },
      data: { aiAgentEnabled: true, slaFirstResponseMinutes: 5 },
    });
    await inbox.bring(rawMail({ 'List-Id': '<news.acme.test>', 'Message-ID': '<n@acme.test>' }, 'News'));
    expect(await inbox.newest()).toMatchObject({ automatic: true });
    expect(await inbox.events()).toEqual(['contact.created', 'conversation.created']);
    expect(await db().slaClock.count({ where: { workspaceId: teammates.workspaceId } })).toBe(0);
    expect(await db().outboxJob.count({ where: { task: 'answer-contact' } })).toBe(0);
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
