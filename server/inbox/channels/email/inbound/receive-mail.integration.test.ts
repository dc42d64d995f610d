import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/ground/db.ts';
import { receiveMail } from '#server/inbox/channels/email/inbound/receive-mail.ts';
import { signedAddress } from '#server/inbox/channels/email/inbound/signed-address.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { apiClient } from '#test/api-client.ts';
import { startDnsServer } from '#test/dns-server.ts';
import { makeConnection } from '#test/factories.ts';
import { rawMail, startInboundMail } from '#test/inbound-mail.ts';
import { startMailServer } from '#test/mail-server.ts';
import { startTestService, type TestService } from '#test/service.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/teammates.ts';

let service: TestService;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let outgoing: Awaited<ReturnType<typeof startMailServer>>;
let inbound: Awaited<ReturnType<typeof startInboundMail>>;
let teammates: Teammates;
let mailbox: string;
let domain: string;

beforeAll(async () => {
  dns = await startDnsServer();
  outgoing = await startMailServer();
  service = await startTestService({
    DNS_SERVERS: dns.address,
    SMTP_URL: outgoing.url,
    INBOUND_SMTP_PORT: '2525',
  });
  inbound = await startInboundMail();
});
afterAll(async () => {
  await inbound.stop();
  await service.stop();
  await outgoing.stop();
  await dns.stop();
});
beforeEach(async () => {
  outgoing.received.length = 0;
  dns.answers.clear();
  // Ada's domain names this machine as its server, Mallory's says nothing, that of the bank another machine.
  dns.answers.set('acme.test', [['v=spf1 ip4:127.0.0.1 -all']]);
  dns.answers.set('_dmarc.acme.test', [['v=DMARC1; p=reject']]);
  dns.answers.set('bank.test', [['v=spf1 ip4:192.0.2.1 -all']]);
  dns.answers.set('_dmarc.bank.test', [['v=DMARC1; p=reject']]);
  teammates = await makeTeammates();
  // Events are recorded for those who may hear of them.
  await makeConnection({ workspaceId: teammates.workspaceId, teammate: teammates.owner });
  mailbox = (await db().mailbox.findFirstOrThrow({ where: { workspaceId: teammates.workspaceId } })).address;
  domain = mailbox.slice(mailbox.indexOf('@') + 1);
});

/** Hands a mail over, and works off what was kept of it. */
async function bring(
  raw: string | Buffer,
  { to = mailbox, from = 'ada@acme.test' }: { to?: string | string[]; from?: string } = {},
) {
  await inbound.send({ raw, to, from });
  return workOff();
}

async function workOff() {
  const waiting = await db().inboundUpdate.findMany({
    where: { processedAt: null },
    orderBy: { receivedAt: 'asc' },
  });
  for (const { id } of waiting) await receiveMail(id);
}

const messages = () =>
  db().message.findMany({
    where: { workspaceId: teammates.workspaceId },
    include: { attachments: true, conversation: { include: { contact: true } }, mailReferences: true },
    orderBy: { createdAt: 'asc' },
  });
const events = async () =>
  (
    await db().event.findMany({
      where: { workspaceId: teammates.workspaceId },
      orderBy: { createdAt: 'asc' },
    })
  ).map(({ key }) => key);
const newest = async () => (await messages()).at(-1);
const reply = (conversationId: string, content = 'It is on its way.') =>
  sendReply({
    workspaceId: teammates.workspaceId,
    id: conversationId,
    actor: { kind: 'teammate', teammate: teammates.agent },
    content,
  });
const first = async () => {
  await bring(rawMail({ 'Message-ID': `<${randomUUID()}@acme.test>` }));
  const [message] = await messages();
  if (!message) throw new Error('The first mail was not received.');
  return message;
};

test('a mail makes contact, conversation and the three events, and is kept whole', async () => {
  const raw = rawMail(
    { 'Message-ID': '<1@acme.test>' },
    'Where is my parcel?\r\n\r\nOn 3 May 2026 at 10:00, Support <s@x.test> wrote:\r\n> Hi',
  );
  await bring(raw);
  const [message] = await messages();
  expect(message).toMatchObject({
    direction: 'inbound',
    authorKind: 'contact',
    content: 'Where is my parcel?',
    trimmed: true,
    fullContent: expect.stringContaining('> Hi'),
    senderVerified: true,
    automatic: false,
    attachmentsCount: 0,
    conversation: {
      channel: 'email',
      subject: 'A question',
      contactClaimed: false,
      contact: { email: 'ada@acme.test', firstName: 'Ada', lastName: 'Lovelace' },
    },
  });
  expect(await events()).toEqual(['contact.created', 'conversation.created', 'message.received']);
  const original = await db().storedFile.findUniqueOrThrow({
    where: { id: message?.originalFileId ?? '' },
    include: { chunks: { orderBy: { position: 'asc' } } },
  });
  expect(Buffer.concat(original.chunks.map(({ content }) => content)).toString()).toBe(raw);
  expect(original.expiresAt).toBeNull();
});

describe('an answer', () => {
  test('to our mail joins its conversation and reopens it, by its reference or by its address', async () => {
    const { conversationId } = await first();
    await reply(conversationId);
    const [ours] = outgoing.received;
    const replyTo = ours?.email.replyTo?.[0]?.address ?? '';
    expect(replyTo).toBe(signedAddress('reply', conversationId, domain));
    await db().conversation.update({
      where: { id: conversationId },
      data: { status: 'solved', resolvedAt: new Date() },
    });
    await bring(
      rawMail({ 'Message-ID': '<2@acme.test>', 'In-Reply-To': ours?.email.messageId ?? '' }, 'Thanks'),
    );
    expect(await newest()).toMatchObject({
      conversationId,
      content: 'Thanks',
      conversation: { status: 'open' },
    });
    await bring(rawMail({ 'Message-ID': '<3@acme.test>' }, 'Once more'), { to: replyTo });
    expect(await newest()).toMatchObject({ conversationId, content: 'Once more' });
  });

  test('of a teammate joins the thread under their name, and nothing follows from it', async () => {
    const { conversationId, mailReferences } = await first();
    const before = await events();
    dns.answers.set('acme.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    await bring(
      rawMail(
        {
          From: teammates.agent.email,
          'Message-ID': '<t@acme.test>',
          'In-Reply-To': mailReferences[0]?.messageIdHeader ?? '',
        },
        'I look after it.',
      ),
    );
    expect(await newest()).toMatchObject({
      conversationId,
      authorName: 'Aggie Agent',
      content: 'I look after it.',
    });
    expect(await events()).toEqual(before);
  });

  test('ours names what it answers, in the order of the thread', async () => {
    const { conversationId, mailReferences } = await first();
    await reply(conversationId);
    await reply(conversationId, 'One more thing.');
    const [one, two] = outgoing.received;
    const theirs = mailReferences[0]?.messageIdHeader;
    expect(one?.email.inReplyTo).toBe(theirs);
    expect(two?.email.references?.split(/\s+/)).toEqual([theirs, one?.email.messageId]);
    expect(one?.from).toBe(signedAddress('bounce', (await messages())[1]?.id ?? '', domain));
  });
});

describe('an attacker', () => {
  test('who writes under a contact’s address joins nothing, and is marked as not verified', async () => {
    await bring(rawMail({ From: 'Charles <charles@bank.test>', 'Message-ID': '<b@bank.test>' }), {
      from: 'charles@bank.test',
    });
    const [theirs] = await messages();
    await reply(theirs?.conversationId ?? '');
    const [ours] = outgoing.received;
    for (const to of [mailbox, ours?.email.replyTo?.[0]?.address ?? '']) {
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

  test('who has somebody’s reply address begins a conversation of their own', async () => {
    const { conversationId } = await first();
    const to = signedAddress('reply', conversationId, domain);
    await bring(rawMail({ From: 'mallory@evil.test' }, 'Hi'), { to, from: 'mallory@evil.test' });
    expect(await newest()).toMatchObject({
      content: 'Hi',
      conversation: { contact: { email: 'mallory@evil.test' } },
    });
    expect((await newest())?.conversationId).not.toBe(conversationId);
  });

  test('who reuses a known Message-ID, or one of ours, swallows no mail', async () => {
    const { mailReferences, conversationId } = await first();
    await reply(conversationId);
    const ids = [mailReferences[0]?.messageIdHeader ?? '', outgoing.received[0]?.email.messageId ?? ''];
    for (const id of ids) {
      await bring(rawMail({ From: 'mallory@evil.test', 'Message-ID': id }, `Mine ${id}`), {
        from: 'mallory@evil.test',
      });
      expect(await newest()).toMatchObject({ content: `Mine ${id}` });
    }
  });

  test('who reports that our mail came back changes nothing without the address for that', async () => {
    const { conversationId } = await first();
    await reply(conversationId);
    await bring(bounce(outgoing.received[0]?.email.messageId ?? ''), { from: '' });
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

test('a bounce sets its message to failed with the reason, and its author hears of it once', async () => {
  const { conversationId } = await first();
  await reply(conversationId);
  const before = await events();
  const [ours] = outgoing.received;
  for (let times = 0; times < 2; times += 1) {
    await bring(bounce(ours?.email.messageId ?? ''), { from: '', to: ours?.from ?? '' });
  }
  const message = await db().message.findFirstOrThrow({ where: { conversationId, direction: 'outbound' } });
  expect(message).toMatchObject({
    sendStatus: 'failed',
    deliveryError: 'The mail server of ada@acme.test sent it back: 550 5.1.1 User unknown.',
  });
  expect(
    await db().notification.count({ where: { userId: teammates.agent.id, kind: 'message_failed' } }),
  ).toBe(1);
  expect(await events()).toEqual(before);
  expect(await newest()).toMatchObject({ conversationId, automatic: true, content: 'It came back.' });
});

describe('mail that a machine sent', () => {
  const AUTO = { 'Auto-Submitted': 'auto-replied' };
  test('stays in its thread, marked, and reopens nothing', async () => {
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

  test('makes contact and conversation, and neither flow nor agent nor clock nor `message.received`', async () => {
    await db().workspace.update({
      where: { id: teammates.workspaceId },
      data: { aiAgentEnabled: true, slaFirstResponseMinutes: 5 },
    });
    await bring(rawMail({ 'List-Id': '<news.acme.test>', 'Message-ID': '<n@acme.test>' }, 'News'));
    expect(await newest()).toMatchObject({ automatic: true });
    expect(await events()).toEqual(['contact.created', 'conversation.created']);
    expect(await db().slaClock.count({ where: { workspaceId: teammates.workspaceId } })).toBe(0);
    expect(await db().queuedJob.count({ where: { task: 'answer-contact' } })).toBe(0);
  });
});

describe('the same mail', () => {
  test('to two mailboxes of a workspace, or sent again, is one message', async () => {
    const { workspaceId } = teammates;
    const other = `sales@${domain}`;
    await db().mailbox.create({ data: { workspaceId, address: other, name: 'Sales' } });
    const raw = rawMail({ 'Message-ID': '<same@acme.test>' });
    await bring(raw, { to: [mailbox, other] });
    await bring(raw, { to: other });
    expect(await messages()).toHaveLength(1);
  });

  test('worked off ten times at once is one message', async () => {
    await inbound.send({ raw: rawMail({ 'Message-ID': '<ten@acme.test>' }), to: mailbox });
    const { id } = await db().inboundUpdate.findFirstOrThrow({ where: { processedAt: null } });
    await Promise.all(Array.from({ length: 10 }, () => receiveMail(id)));
    expect(await messages()).toHaveLength(1);
  });

  test('brought three times, in another order, and ten times at once is one message', async () => {
    const raws = [1, 2, 3].map((at) => rawMail({ 'Message-ID': `<again${at}@acme.test>` }));
    for (const raw of [...raws, ...raws.toReversed(), ...raws]) await bring(raw);
    const another = rawMail({ 'Message-ID': '<again4@acme.test>' });
    await Promise.all(Array.from({ length: 10 }, () => inbound.send({ raw: another, to: mailbox })));
    const waiting = await db().inboundUpdate.findMany({ where: { processedAt: null }, select: { id: true } });
    expect(waiting).toHaveLength(10);
    await Promise.all(waiting.map(({ id }) => receiveMail(id)));
    expect(await messages()).toHaveLength(4);
    expect((await events()).filter((key) => key === 'message.received')).toHaveLength(4);
  });

  test('to two workspaces is a message in each', async () => {
    const other = await makeConnection();
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId: other.workspaceId } });
    await bring(rawMail({ 'Message-ID': '<both@acme.test>' }), { to: [mailbox, address] });
    expect(await messages()).toHaveLength(1);
    expect(await db().message.count({ where: { workspaceId: other.workspaceId } })).toBe(1);
  });
});

describe('everyone whom a mail is addressed to', () => {
  test('is kept with it, each once and in lowercase, also of a mail that could not be read', async () => {
    await bring(
      rawMail({
        To: `Support <${mailbox}>, Bob <Bob@Partner.test>, bob@partner.test`,
        Cc: 'Team: carol@partner.test, "Dan, D." <dan@partner.test>;',
      }),
    );
    expect(await newest()).toMatchObject({
      mailTo: [mailbox, 'bob@partner.test'],
      cc: ['carol@partner.test', 'dan@partner.test'],
      bcc: [],
    });
  });

  test('is kept up to a bound, when a stranger names thousands', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `a${at}@partner.test`).join(',\r\n ');
    await bring(
      rawMail({ To: `${mailbox},\r\n ${many}`, Cc: `${'x'.repeat(300)}@partner.test,\r\n ${many}` }),
    );
    const message = await newest();
    expect(message?.mailTo).toHaveLength(50);
    expect(message?.cc).toHaveLength(50);
    expect(message?.cc[0]).toBe('a0@partner.test');
  });

  test('gets no copy of what goes through the API, where no one has looked at who they are', async () => {
    await bring(rawMail({ To: `${mailbox}, bob@partner.test`, Cc: 'carol@partner.test' }));
    const { conversationId } = (await newest()) ?? {};
    const connection = await makeConnection({
      workspaceId: teammates.workspaceId,
      teammate: teammates.owner,
    });
    const answer = await apiClient(service.url, connection.accessToken)(
      'POST',
      `/conversations/${conversationId}/replies`,
      { content: 'It is on its way.' },
    );
    expect(answer).toMatchObject({ status: 201, body: { send_status: 'sent' } });
    expect(outgoing.received.at(-1)?.to).toEqual(['ada@acme.test']);
    expect(outgoing.received.at(-1)?.email.cc ?? []).toEqual([]);
  });

  test('gets a copy of the reply as the composer offers it, unless the sender is not verified', async () => {
    const conversation = async () => {
      const message = await newest();
      const screens = await (await signInTeammate(teammates.agent))();
      const opened = await screens.conversations.opened({ id: message?.conversationId ?? '' });
      return { copies: opened?.composer.replyCc, message };
    };
    await bring(rawMail({ To: mailbox, Cc: 'carol@partner.test' }));
    expect((await conversation()).copies).toEqual(['carol@partner.test']);
    await bring(rawMail({ From: 'Bank <ceo@bank.test>', To: mailbox, Cc: 'mallory@evil.test' }));
    expect(await conversation()).toMatchObject({
      copies: [],
      message: { senderVerified: false, cc: ['mallory@evil.test'] },
    });
  });
});

test('files are kept and counted, pictures within the text are kept and not counted', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAIAAAUAAeImvDMAAAAASUVORK5CYII=';
  await bring(
    rawMail(
      { 'Content-Type': 'multipart/related; boundary=r', 'MIME-Version': '1.0' },
      `--r\r\nContent-Type: text/html\r\n\r\n<p>See</p><img src="cid:p1"><script>alert(1)</script>\r\n--r\r\nContent-Type: image/png; name=p.png\r\nContent-ID: <p1>\r\nContent-Transfer-Encoding: base64\r\n\r\n${png}\r\n--r\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--r--`,
    ),
  );
  const message = await newest();
  expect(message).toMatchObject({ attachmentsCount: 1, content: 'See' });
  expect(message?.html).not.toContain('script');
  expect(message?.attachments.map(({ name, inline, contentId }) => ({ name, inline, contentId }))).toEqual([
    { name: 'p.png', inline: true, contentId: 'p1' },
    { name: 'a.pdf', inline: false, contentId: null },
  ]);
});

test('while name servers do not answer the mail waits; then its sender is not believed', async () => {
  dns.answers.set('_dmarc.acme.test', 'broken');
  dns.answers.set('acme.test', 'broken');
  await inbound.send({ raw: rawMail({ 'Message-ID': '<dns@acme.test>' }), to: mailbox });
  const { id } = await db().inboundUpdate.findFirstOrThrow({ where: { processedAt: null } });
  for (let times = 1; times < 5; times += 1) await expect(receiveMail(id)).rejects.toThrow('name servers');
  expect(await messages()).toHaveLength(0);
  await receiveMail(id);
  expect(await newest()).toMatchObject({ senderVerified: false });
});
