import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { receiveMail } from '#server/inbox/incoming-mail/receive-mail.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/received-mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

test('a mail creates a contact, a conversation and three events, and its original is stored', async ({
  inbox,
}) => {
  const raw = rawMail(
    { 'Message-ID': '<1@acme.test>', 'In-Reply-To': '<0@elsewhere.test>' },
    'Where is my parcel?\r\n\r\nOn 3 May 2026 at 10:00, Support <s@x.test> wrote:\r\n> Hi',
  );
  await inbox.bring(raw);
  const [message] = await inbox.messages();
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
  expect(await inbox.events()).toEqual(['contact.created', 'conversation.created', 'message.received']);
  const original = await db().storedFile.findUniqueOrThrow({
    where: { id: message?.originalFileId ?? '' },
    include: { chunks: { orderBy: { position: 'asc' } } },
  });
  expect(Buffer.concat(original.chunks.map(({ content }) => content)).toString()).toBe(raw);
  expect(original.expiresAt).toBeNull();
});

describe('an email reply', () => {
  test('to our mail joins its conversation and reopens it, by In-Reply-To or by the reply address', async ({
    mail,
    mailbox,
    inbox,
  }) => {
    const { conversationId } = await inbox.first();
    await inbox.reply(conversationId);
    const [ours] = mail.received;
    const replyTo = ours?.email.replyTo?.[0]?.address ?? '';
    expect(replyTo).toBe(signedAddress('reply', conversationId, mailbox.domain));
    await db().conversation.update({
      where: { id: conversationId },
      data: { status: 'solved', resolvedAt: new Date() },
    });
    await inbox.bring(
      rawMail({ 'Message-ID': '<2@acme.test>', 'In-Reply-To': ours?.email.messageId ?? '' }, 'Thanks'),
    );
    expect(await inbox.newest()).toMatchObject({
      conversationId,
      content: 'Thanks',
      conversation: { status: 'open' },
    });
    await inbox.bring(rawMail({ 'Message-ID': '<3@acme.test>' }, 'Once more'), { to: replyTo });
    expect(await inbox.newest()).toMatchObject({ conversationId, content: 'Once more' });
  });

  test('of a teammate joins the thread under the teammate’s name, and emits no event', async ({
    teammates,
    dns,
    inbox,
  }) => {
    const { conversationId, mailReferences } = await inbox.first();
    const before = await inbox.events();
    dns.answers.set('acme.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    await inbox.bring(
      rawMail(
        {
          From: teammates.agent.email,
          'Message-ID': '<t@acme.test>',
          'In-Reply-To': mailReferences[0]?.messageIdHeader ?? '',
        },
        'I will take care of it.',
      ),
    );
    expect(await inbox.newest()).toMatchObject({
      conversationId,
      authorName: 'Aggie Agent',
      content: 'I will take care of it.',
    });
    expect(await inbox.events()).toEqual(before);
  });

  test('to a closed conversation starts one that further replies join, also at the same time, until it is closed', async ({
    inbound,
    mailbox,
    inbox,
  }) => {
    const { conversationId, mailReferences } = await inbox.first();
    const inReplyTo = mailReferences[0]?.messageIdHeader ?? '';
    const rawReply = (Subject: string) => {
      const id = randomUUID();
      return rawMail({ 'Message-ID': `<${id}@acme.test>`, 'In-Reply-To': inReplyTo, Subject }, id);
    };
    const close = (id: string) =>
      db().conversation.update({ where: { id }, data: { status: 'closed', resolvedAt: new Date() } });
    await close(conversationId);

    for (let reply = 0; reply < 3; reply += 1) {
      await inbound.send({ raw: rawReply('Re: A question'), to: mailbox.address, from: 'ada@acme.test' });
    }
    const waiting = await db().inboundUpdate.findMany({ where: { processedAt: null } });
    await Promise.all(waiting.map(({ id }) => receiveMail(id)));
    const [, first, ...others] = await inbox.messages();
    const next = first?.conversationId ?? '';
    expect(next).not.toBe(conversationId);
    expect(first?.threadReason).toBe('ended');
    expect(others).toMatchObject([
      { conversationId: next, threadReason: 'continues' },
      { conversationId: next, threadReason: 'continues' },
    ]);
    expect((await inbox.events()).filter((key) => key === 'conversation.created')).toHaveLength(2);

    await inbox.bring(rawReply('Something else'));
    expect((await inbox.newest())?.conversationId).not.toBe(next);
    await close(next);
    await inbox.bring(rawReply('Re: A question'));
    const newest = await inbox.newest();
    expect([conversationId, next]).not.toContain(newest?.conversationId);
    expect(newest?.threadReason).toBe('ended');
  });

  test('to a closed conversation does not join one that was there before it', async ({ inbox }) => {
    const close = (id = '') =>
      db().conversation.update({ where: { id }, data: { status: 'closed', resolvedAt: new Date() } });
    const bring = async (id: string, answered?: string) => {
      const headers = answered === undefined ? {} : { 'In-Reply-To': answered, Subject: 'Re: A question' };
      await inbox.bring(rawMail({ 'Message-ID': id, Subject: 'A question', ...headers }));
      return (await inbox.newest())?.conversationId;
    };
    await close(await bring('<1@acme.test>'));
    const earlier = await bring('<2@acme.test>', '<1@acme.test>');
    await close(await bring('<3@acme.test>'));
    expect(await bring('<4@acme.test>', '<3@acme.test>')).not.toBe(earlier);
  });

  test('from us has In-Reply-To, and References in the order of the thread', async ({
    mail,
    mailbox,
    inbox,
  }) => {
    const { conversationId, mailReferences } = await inbox.first();
    await inbox.reply(conversationId);
    await inbox.reply(conversationId, 'One more thing.');
    const [one, two] = mail.received;
    const theirs = mailReferences[0]?.messageIdHeader;
    expect(one?.email.inReplyTo).toBe(theirs);
    expect(two?.email.references?.split(/\s+/)).toEqual([theirs, one?.email.messageId]);
    expect(one?.from).toBe(signedAddress('bounce', (await inbox.messages())[1]?.id ?? '', mailbox.domain));
  });
});

describe('a repeated mail', () => {
  test('to two mailboxes of a workspace, or delivered again, becomes one message', async ({
    teammates,
    mailbox,
    inbox,
  }) => {
    const { workspaceId } = teammates;
    const other = `sales@${mailbox.domain}`;
    await db().mailbox.create({ data: { workspaceId, address: other, name: 'Sales' } });
    const raw = rawMail({ 'Message-ID': '<same@acme.test>' });
    await inbox.bring(raw, { to: [mailbox.address, other] });
    await inbox.bring(raw, { to: other });
    expect(await inbox.messages()).toHaveLength(1);
  });

  test('that ten jobs process in parallel becomes one message', async ({ inbound, mailbox, inbox }) => {
    await inbound.send({ raw: rawMail({ 'Message-ID': '<ten@acme.test>' }), to: mailbox.address });
    const { id } = await db().inboundUpdate.findFirstOrThrow({ where: { processedAt: null } });
    await Promise.all(Array.from({ length: 10 }, () => receiveMail(id)));
    expect(await inbox.messages()).toHaveLength(1);
  });

  test('that arrives three times in any order, or ten times in parallel, becomes one message', async ({
    inbound,
    mailbox,
    inbox,
  }) => {
    const raws = [1, 2, 3].map((at) => rawMail({ 'Message-ID': `<again${at}@acme.test>` }));
    for (const raw of [...raws, ...raws.toReversed(), ...raws]) await inbox.bring(raw);
    const another = rawMail({ 'Message-ID': '<again4@acme.test>' });
    await Promise.all(Array.from({ length: 10 }, () => inbound.send({ raw: another, to: mailbox.address })));
    const waiting = await db().inboundUpdate.findMany({ where: { processedAt: null }, select: { id: true } });
    expect(waiting).toHaveLength(10);
    await Promise.all(waiting.map(({ id }) => receiveMail(id)));
    expect(await inbox.messages()).toHaveLength(4);
    expect((await inbox.events()).filter((key) => key === 'message.received')).toHaveLength(4);
  });

  test.for([
    ['date', { Date: 'Fri, 27 Nov 2026 09:30:00 +0000' }, 'Paper is empty.'],
    ['subject', { Subject: 'Report 2' }, 'Paper is empty.'],
    ['text', {}, 'Toner is empty.'],
    [
      'files',
      FILE,
      `--f\r\n\r\nPaper is empty.\r\n--f\r\nContent-Type: text/csv; name=a.csv\r\n\r\n1\r\n--f--`,
    ],
  ] as const)(
    'with the Message-ID of another mail of its sender is stored, if its %s is different',
    async ([_what, headers, body], { inbox }) => {
      const same = { 'Message-ID': '<0.scan@acme.test>', Date: 'Fri, 27 Nov 2026 07:00:00 +0000' };
      await inbox.bring(rawMail({ ...same, Subject: 'Report 1' }, 'Paper is empty.'));
      const other = rawMail({ ...same, Subject: 'Report 1', ...headers }, body);
      await inbox.bring(other);
      await inbox.bring(other);
      expect(await inbox.messages()).toHaveLength(2);
    },
  );

  test('whose lines a server folded differently becomes one message', async ({ inbox }) => {
    const same = { 'Message-ID': '<folded@acme.test>' };
    await inbox.bring(rawMail({ ...same, Subject: 'One two' }, 'Hello'));
    await inbox.bring(rawMail({ ...same, Subject: 'One\r\n two' }, 'Hello  \r\n'));
    expect(await inbox.messages()).toHaveLength(1);
  });

  test('to two workspaces becomes a message in each', async ({ mailbox, inbox }) => {
    const other = await makeConnection();
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId: other.workspaceId } });
    await inbox.bring(rawMail({ 'Message-ID': '<both@acme.test>' }), { to: [mailbox.address, address] });
    expect(await inbox.messages()).toHaveLength(1);
    expect(await db().message.count({ where: { workspaceId: other.workspaceId } })).toBe(1);
  });
});

describe('each recipient of a mail', () => {
  test('is stored with the message once, in lowercase', async ({ mailbox, inbox }) => {
    await inbox.bring(
      rawMail({
        To: `Support <${mailbox.address}>, Bob <Bob@Partner.test>, bob@partner.test`,
        Cc: 'Team: carol@partner.test, "Dan, D." <dan@partner.test>;',
      }),
    );
    expect(await inbox.newest()).toMatchObject({
      mailTo: [mailbox.address, 'bob@partner.test'],
      cc: ['carol@partner.test', 'dan@partner.test'],
      bcc: [],
    });
  });

  test('is stored up to a limit, when an attacker lists thousands', async ({ mailbox, inbox }) => {
    const many = Array.from({ length: 3_000 }, (_, at) => `a${at}@partner.test`).join(',\r\n ');
    await inbox.bring(
      rawMail({ To: `${mailbox.address},\r\n ${many}`, Cc: `${'x'.repeat(300)}@partner.test,\r\n ${many}` }),
    );
    const message = await inbox.newest();
    expect(message?.mailTo).toHaveLength(50);
    expect(message?.cc).toHaveLength(50);
    expect(message?.cc[0]).toBe('a0@partner.test');
  });

  test('gets no copy of a reply through the API, which no teammate reviewed', async ({
    service,
    teammates,
    mail,
    mailbox,
    inbox,
  }) => {
    await inbox.bring(rawMail({ To: `${mailbox.address}, bob@partner.test`, Cc: 'carol@partner.test' }));
    const { conversationId } = (await inbox.newest()) ?? {};
    const connection = await makeConnection({
      workspaceId: teammates.workspaceId,
      teammate: teammates.owner,
    });
    const response = await apiClient(service.url, connection.accessToken)(
      'POST',
      `/conversations/${conversationId}/replies`,
      { content: 'It is on its way.' },
    );
    expect(response).toMatchObject({ status: 201, body: { send_status: 'sent' } });
    expect(mail.received.at(-1)?.to).toEqual(['ada@acme.test']);
    expect(mail.received.at(-1)?.email.cc ?? []).toEqual([]);
  });

  test('is suggested in Cc by the composer, unless the sender is not verified', async ({
    teammates,
    mailbox,
    inbox,
  }) => {
    const conversation = async () => {
      const message = await inbox.newest();
      const screens = await (await signInTeammate(teammates.agent))();
      const opened = await screens.conversations.get({ id: message?.conversationId ?? '' });
      return { copies: opened?.composer.replyCc, message };
    };
    await inbox.bring(rawMail({ To: mailbox.address, Cc: 'carol@partner.test' }));
    expect((await conversation()).copies).toEqual(['carol@partner.test']);
    await inbox.bring(
      rawMail({ From: 'Bank <ceo@bank.test>', To: mailbox.address, Cc: 'mallory@evil.test' }),
    );
    expect(await conversation()).toMatchObject({
      copies: [],
      message: { senderVerified: false, cc: ['mallory@evil.test'] },
    });
  });
});

test('files and inline pictures are stored, and only files are counted', async ({ inbox }) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgAAIAAAUAAeImvDMAAAAASUVORK5CYII=';
  await inbox.bring(
    rawMail(
      { 'Content-Type': 'multipart/related; boundary=r', 'MIME-Version': '1.0' },
      `--r\r\nContent-Type: text/html\r\n\r\n<p>See</p><img src="cid:p1"><script>alert(1)</script>\r\n--r\r\nContent-Type: image/png; name=p.png\r\nContent-ID: <p1>\r\nContent-Transfer-Encoding: base64\r\n\r\n${png}\r\n--r\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=\r\n--r--`,
    ),
  );
  const message = await inbox.newest();
  expect(message).toMatchObject({ attachmentsCount: 1, content: 'See' });
  expect(message?.html).not.toContain('script');
  expect(message?.attachments.map(({ name, inline, contentId }) => ({ name, inline, contentId }))).toEqual([
    { name: 'p.png', inline: true, contentId: 'p1' },
    { name: 'a.pdf', inline: false, contentId: null },
  ]);
});

test('a mail is received while name servers do not answer, and its sender stays unverified', async ({
  dns,
  inbox,
}) => {
  dns.answers.set('_dmarc.acme.test', 'silent');
  dns.answers.set('acme.test', 'silent');
  await inbox.bring(rawMail({ 'Message-ID': '<dns@acme.test>' }));
  expect(await inbox.newest()).toMatchObject({ content: 'Hello', senderVerified: null });
});

const FILE = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=f' };
