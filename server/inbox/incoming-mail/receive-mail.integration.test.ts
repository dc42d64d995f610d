import { describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { receiveMail } from '#server/inbox/incoming-mail/receive-mail.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withReceivedMail } from '#test/fixtures/received-mail.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const { mail, bring, messages, newest, events, reply, first } = withReceivedMail();

test('a mail creates a contact, a conversation and three events, and its original is stored', async () => {
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

describe('an email reply', () => {
  test('to our mail joins its conversation and reopens it, by In-Reply-To or by the reply address', async () => {
    const { conversationId } = await first();
    await reply(conversationId);
    const [ours] = mail.outgoing.received;
    const replyTo = ours?.email.replyTo?.[0]?.address ?? '';
    expect(replyTo).toBe(signedAddress('reply', conversationId, mail.domain));
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

  test('of a teammate joins the thread under the teammate’s name, and emits no event', async () => {
    const { conversationId, mailReferences } = await first();
    const before = await events();
    mail.dns.answers.set('acme.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    await bring(
      rawMail(
        {
          From: mail.teammates.agent.email,
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

  test('from us has In-Reply-To, and References in the order of the thread', async () => {
    const { conversationId, mailReferences } = await first();
    await reply(conversationId);
    await reply(conversationId, 'One more thing.');
    const [one, two] = mail.outgoing.received;
    const theirs = mailReferences[0]?.messageIdHeader;
    expect(one?.email.inReplyTo).toBe(theirs);
    expect(two?.email.references?.split(/\s+/)).toEqual([theirs, one?.email.messageId]);
    expect(one?.from).toBe(signedAddress('bounce', (await messages())[1]?.id ?? '', mail.domain));
  });
});

describe('a repeated mail', () => {
  test('to two mailboxes of a workspace, or delivered again, becomes one message', async () => {
    const { workspaceId } = mail.teammates;
    const other = `sales@${mail.domain}`;
    await db().mailbox.create({ data: { workspaceId, address: other, name: 'Sales' } });
    const raw = rawMail({ 'Message-ID': '<same@acme.test>' });
    await bring(raw, { to: [mail.mailbox, other] });
    await bring(raw, { to: other });
    expect(await messages()).toHaveLength(1);
  });

  test('that ten jobs process in parallel becomes one message', async () => {
    await mail.inbound.send({ raw: rawMail({ 'Message-ID': '<ten@acme.test>' }), to: mail.mailbox });
    const { id } = await db().inboundUpdate.findFirstOrThrow({ where: { processedAt: null } });
    await Promise.all(Array.from({ length: 10 }, () => receiveMail(id)));
    expect(await messages()).toHaveLength(1);
  });

  test('that arrives three times in any order, or ten times in parallel, becomes one message', async () => {
    const raws = [1, 2, 3].map((at) => rawMail({ 'Message-ID': `<again${at}@acme.test>` }));
    for (const raw of [...raws, ...raws.toReversed(), ...raws]) await bring(raw);
    const another = rawMail({ 'Message-ID': '<again4@acme.test>' });
    await Promise.all(
      Array.from({ length: 10 }, () => mail.inbound.send({ raw: another, to: mail.mailbox })),
    );
    const waiting = await db().inboundUpdate.findMany({ where: { processedAt: null }, select: { id: true } });
    expect(waiting).toHaveLength(10);
    await Promise.all(waiting.map(({ id }) => receiveMail(id)));
    expect(await messages()).toHaveLength(4);
    expect((await events()).filter((key) => key === 'message.received')).toHaveLength(4);
  });

  test('to two workspaces becomes a message in each', async () => {
    const other = await makeConnection();
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId: other.workspaceId } });
    await bring(rawMail({ 'Message-ID': '<both@acme.test>' }), { to: [mail.mailbox, address] });
    expect(await messages()).toHaveLength(1);
    expect(await db().message.count({ where: { workspaceId: other.workspaceId } })).toBe(1);
  });
});

describe('each recipient of a mail', () => {
  test('is stored with the message once, in lowercase', async () => {
    await bring(
      rawMail({
        To: `Support <${mail.mailbox}>, Bob <Bob@Partner.test>, bob@partner.test`,
        Cc: 'Team: carol@partner.test, "Dan, D." <dan@partner.test>;',
      }),
    );
    expect(await newest()).toMatchObject({
      mailTo: [mail.mailbox, 'bob@partner.test'],
      cc: ['carol@partner.test', 'dan@partner.test'],
      bcc: [],
    });
  });

  test('is stored up to a limit, when an attacker lists thousands', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `a${at}@partner.test`).join(',\r\n ');
    await bring(
      rawMail({ To: `${mail.mailbox},\r\n ${many}`, Cc: `${'x'.repeat(300)}@partner.test,\r\n ${many}` }),
    );
    const message = await newest();
    expect(message?.mailTo).toHaveLength(50);
    expect(message?.cc).toHaveLength(50);
    expect(message?.cc[0]).toBe('a0@partner.test');
  });

  test('gets no copy of a reply through the API, which no teammate reviewed', async () => {
    await bring(rawMail({ To: `${mail.mailbox}, bob@partner.test`, Cc: 'carol@partner.test' }));
    const { conversationId } = (await newest()) ?? {};
    const connection = await makeConnection({
      workspaceId: mail.teammates.workspaceId,
      teammate: mail.teammates.owner,
    });
    const response = await apiClient(mail.service.url, connection.accessToken)(
      'POST',
      `/conversations/${conversationId}/replies`,
      { content: 'It is on its way.' },
    );
    expect(response).toMatchObject({ status: 201, body: { send_status: 'sent' } });
    expect(mail.outgoing.received.at(-1)?.to).toEqual(['ada@acme.test']);
    expect(mail.outgoing.received.at(-1)?.email.cc ?? []).toEqual([]);
  });

  test('is suggested in Cc by the composer, unless the sender is not verified', async () => {
    const conversation = async () => {
      const message = await newest();
      const screens = await (await signInTeammate(mail.teammates.agent))();
      const opened = await screens.conversations.get({ id: message?.conversationId ?? '' });
      return { copies: opened?.composer.replyCc, message };
    };
    await bring(rawMail({ To: mail.mailbox, Cc: 'carol@partner.test' }));
    expect((await conversation()).copies).toEqual(['carol@partner.test']);
    await bring(rawMail({ From: 'Bank <ceo@bank.test>', To: mail.mailbox, Cc: 'mallory@evil.test' }));
    expect(await conversation()).toMatchObject({
      copies: [],
      message: { senderVerified: false, cc: ['mallory@evil.test'] },
    });
  });
});

test('files and inline pictures are stored, and only files are counted', async () => {
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

test('a mail is received while name servers do not answer, and its sender stays unverified', async () => {
  mail.dns.answers.set('_dmarc.acme.test', 'silent');
  mail.dns.answers.set('acme.test', 'silent');
  await bring(rawMail({ 'Message-ID': '<dns@acme.test>' }));
  expect(await newest()).toMatchObject({ content: 'Hello', senderVerified: null });
});
