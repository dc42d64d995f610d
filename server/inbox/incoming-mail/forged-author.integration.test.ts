import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { type DnsServer, type Inbox, test } from '#test/fixtures/received-mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';
import type { ReceivedMail } from '#test/servers/mail-server.ts';

describe('an attacker who passes SPF for another domain', () => {
  test.for(Object.entries(forged()))(
    'cannot write as the victim with %s',
    async ([_what, from], { teammates, mail, dns, inbox }) => {
      allowMallory(dns);
      const { victim, inReplyTo } = await replyToVictim(inbox, mail);
      const headers = `${from}\r\nCc: me@evil.test\r\nSubject: Hi\r\nIn-Reply-To: ${inReplyTo}`;
      await inbox.bringVerbatim(`${headers}\r\n\r\nPay me\r\n`, MALLORY.from);
      const forged = await inbox.newest();
      expect(forged).toMatchObject({ content: 'Pay me', senderVerified: false });
      expect(forged?.conversationId).not.toBe(victim.conversationId);
      const screens = await (await signInTeammate(teammates.agent))();
      const opened = await screens.conversations.get({ id: forged?.conversationId ?? '' });
      expect(opened?.composer.replyCc).toEqual([]);
    },
  );

  test('cannot write as a teammate', async ({ teammates, mail, dns, inbox }) => {
    allowMallory(dns);
    const { inReplyTo } = await replyToVictim(inbox, mail);
    const { agent } = teammates;
    const headers = `From: ${agent.email}\r\n<me@evil.test>\r\nSubject: Hi\r\nIn-Reply-To: ${inReplyTo}`;
    await inbox.bringVerbatim(`${headers}\r\n\r\nRefund them\r\n`, MALLORY.from);
    expect(await inbox.newest()).toMatchObject({
      content: 'Refund them',
      authorName: null,
      senderVerified: false,
    });
  });
});

test.for(Object.entries(ambiguous()))(
  'a mail with %s is not verified',
  async ([_what, from], { mail, inbox }) => {
    const { victim, inReplyTo } = await replyToVictim(inbox, mail);
    await inbox.bringVerbatim(`${from}\r\nSubject: Hi\r\nIn-Reply-To: ${inReplyTo}\r\n\r\nHello\r\n`);
    const message = await inbox.newest();
    expect(message).toMatchObject({ content: 'Hello', senderVerified: false });
    expect(message?.conversationId).not.toBe(victim.conversationId);
  },
);

test('a mail with only LF line endings, as some providers post it, is authenticated normally', async ({
  inbox,
}) => {
  await inbox.bringVerbatim(rawMail({}).replaceAll('\r\n', '\n'));
  expect(await inbox.newest()).toMatchObject({ senderVerified: true });
});

test('a sender with a quoted local part is authenticated normally, and shown with the full address', async ({
  dns,
  inbox,
}) => {
  const address = '"victim@bank"@evil.test';
  for (const From of [address, `Bank <${address}>`]) {
    dns.answers.delete('evil.test');
    await inbox.bring(rawMail({ From, 'Message-ID': `<1${From.length}@evil.test>` }), MALLORY);
    expect(await inbox.newest()).toMatchObject({
      senderVerified: null,
      conversation: { contact: { email: address } },
    });
    allowMallory(dns);
    await inbox.bring(rawMail({ From, 'Message-ID': `<2${From.length}@evil.test>` }), MALLORY);
    expect(await inbox.newest()).toMatchObject({
      senderVerified: true,
      conversation: { contact: { email: address } },
    });
  }
});

test('an attacker who writes as a teammate joins no thread, when the domain has no SPF, DKIM and DMARC', async ({
  teammates,
  dns,
  inbox,
}) => {
  const { conversationId, mailReferences } = await inbox.first();
  dns.answers.clear();
  await inbox.bring(
    rawMail(
      {
        From: teammates.agent.email,
        'Message-ID': '<t@acme.test>',
        'In-Reply-To': mailReferences[0]?.messageIdHeader ?? '',
      },
      'I will take care of it.',
    ),
    { from: teammates.agent.email },
  );
  const message = await inbox.newest();
  expect(message).toMatchObject({
    content: 'I will take care of it.',
    authorName: null,
    senderVerified: null,
  });
  expect(message?.conversationId).not.toBe(conversationId);
});

describe('an attacker who knows the bounce address of a mail', () => {
  const report = (recipient: string) =>
    rawMail(
      {
        From: 'MAILER-DAEMON@mx.evil.test',
        Subject: 'Undelivered',
        'Content-Type': 'multipart/report; report-type=delivery-status; boundary=d',
      },
      `--d\r\nContent-Type: text/plain\r\n\r\nIt came back.\r\n--d\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.evil.test\r\n\r\nFinal-Recipient: rfc822; ${recipient}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--d--`,
    );
  const sent = async (inbox: Inbox, mail: { received: ReceivedMail[] }) => {
    const { conversationId } = await inbox.first();
    await inbox.reply(conversationId);
    return { conversationId, bounceAddress: mail.received[0]?.from ?? '' };
  };
  const isSent = (conversationId: string) =>
    db().message.count({ where: { conversationId, direction: 'outbound', sendStatus: 'sent' } });

  test('cannot report a failure for an address that the mail was not sent to', async ({ mail, inbox }) => {
    const { conversationId, bounceAddress } = await sent(inbox, mail);
    await inbox.bring(report('somebody@else.test'), { from: '', to: bounceAddress });
    expect(await isSent(conversationId)).toBe(1);
    expect(await inbox.newest()).toMatchObject({
      conversationId,
      automatic: true,
      authorName: 'mailer-daemon@mx.evil.test',
    });
  });

  test('cannot write into its conversation', async ({ mail, inbox }) => {
    const { conversationId, bounceAddress } = await sent(inbox, mail);
    await inbox.bring(rawMail({ From: 'me@evil.test' }, 'Pay me'), { ...MALLORY, to: bounceAddress });
    const message = await inbox.newest();
    expect(message).toMatchObject({
      content: 'Pay me',
      automatic: false,
      conversation: { contact: { email: 'me@evil.test' } },
    });
    expect(message?.conversationId).not.toBe(conversationId);
  });
});

test('an out-of-office reply to the bounce address joins its thread', async ({ mail, inbox }) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  const [ours] = mail.received;
  const headers = { 'Auto-Submitted': 'auto-replied', 'In-Reply-To': ours?.email.messageId ?? '' };
  await inbox.bring(rawMail(headers, 'I am away until Monday.'), { to: ours?.from ?? '' });
  expect(await inbox.newest()).toMatchObject({
    conversationId,
    content: 'I am away until Monday.',
    automatic: true,
  });
});

const MALLORY = { from: 'me@evil.test' };

/** Publishes an SPF record for Mallory's domain that passes, as any attacker can. */
const allowMallory = (dns: DnsServer) => dns.answers.set('evil.test', [['v=spf1 ip4:127.0.0.1 -all']]);

/** Replies to the victim, and returns the victim's first message and the Message-ID of the reply. */
async function replyToVictim(inbox: Inbox, mail: { received: ReceivedMail[] }) {
  const victim = await inbox.first();
  await inbox.reply(victim.conversationId);
  const [ours] = mail.received;
  return { victim, inReplyTo: ours?.email.messageId ?? '' };
}

/** Header sections that display Ada's address and contain Mallory's. */
function forged(): Record<string, string> {
  return {
    'a second line that is not a continuation': 'From: ada@acme.test\r\n<me@evil.test>',
    'a second line after a bare LF': 'From: ada@acme.test\n<me@evil.test>',
    'a continuation after a bare LF': 'From: ada@acme.test\n <me@evil.test>',
    'a bare CR': 'From: ada@acme.test\r <me@evil.test>',
    'two From fields': 'From: ada@acme.test\r\nFrom: me@evil.test',
    'a second From without a colon': 'From: ada@acme.test\r\nFrom <me@evil.test>',
    'two addresses': 'From: ada@acme.test, me@evil.test',
    'a From field whose name is folded': 'From: ada@acme.test\r\nFrom\r\n : me@evil.test',
  };
}

/** Header sections from Ada's own server that parsers may interpret differently. */
function ambiguous(): Record<string, string> {
  return {
    'a header line that is not a field': 'From: ada@acme.test\r\nthis is no field',
    'a bare From line': 'From: ada@acme.test\r\nFrom',
    'a bare LF': 'From: ada@acme.test\nX-Mailer: x',
    'two addresses in one domain': 'From: ada@acme.test, charles@acme.test',
    'two From fields with one domain': 'From: ada@acme.test\r\nFrom: charles@acme.test',
  };
}
