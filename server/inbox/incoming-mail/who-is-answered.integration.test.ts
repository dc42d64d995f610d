import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { blockTyped } from '#server/inbox/blocked-senders/block-sender.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { makeFailed, resend } from '#test/fixtures/failed-replies-test.ts';
import { test } from '#test/fixtures/received-mail-test.ts';
import { listRefused } from '#test/fixtures/refusals.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const NORA = 'nora@winter.test';

describe('a reply goes to', () => {
  test('the Reply-To of the contact’s newest mail, also through the API, and the timeline says so', async ({
    mail,
    inbox,
    mailbox,
  }) => {
    const headers = {
      'Message-ID': '<1@acme.test>',
      'Reply-To': `Nora <${NORA}>, ${mailbox.address}, b@acme.test`,
    };
    await inbox.bring(rawMail(headers));
    const received = await inbox.newest();
    expect(received).toMatchObject({ replyTo: [NORA, 'b@acme.test'] });
    const conversationId = received?.conversationId ?? '';
    expect(received?.conversation.contact?.email).toBe('ada@acme.test');
    const id = conversationId;
    await inbox.reply(id);
    const screens = await (await signInTeammate(mailbox.agent))();
    const composer = async () => (await screens.conversations.get({ id }))?.composer;
    expect(await composer()).toMatchObject({
      replyCc: [],
      replyTo: { asked: [NORA, 'b@acme.test'], isUsed: true },
    });
    await screens.conversations.chooseReplyTo({ id, isUsed: false });
    await inbox.reply(id);
    expect(mail.received.pop()?.to).toEqual(['ada@acme.test']);
    await screens.conversations.chooseReplyTo({ id, isUsed: true });
    expect(mail.received.at(-1)?.to).toEqual([NORA, 'b@acme.test']);
    expect(mail.received.at(-1)?.email.to?.map(({ address }) => address)).toEqual([NORA, 'b@acme.test']);
    await inbox.bring(
      rawMail({ 'Message-ID': '<2@acme.test>', 'In-Reply-To': mail.received[0]?.email.messageId ?? '' }),
    );
    await inbox.reply(id);
    expect(mail.received.at(-1)?.to).toEqual(['ada@acme.test']);
    const asked = { addresses: [NORA, 'b@acme.test'] };
    const entries = await db().timelineEntry.findMany({
      where: { conversationId, kind: 'reply_address_set' },
      orderBy: { createdAt: 'asc' },
    });
    expect(entries.map(({ data }) => data)).toEqual([asked, { addresses: [] }, asked, { addresses: [] }]);
  });

  test('the address from which a contact with several wrote last, which is no form', async ({
    mail,
    inbox,
    dns,
    teammates: { agent, workspaceId },
  }) => {
    dns.answers.set('winter.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    const write = async (from: string, n: number, headers = {}) => {
      await inbox.bring(rawMail({ From: from, 'Message-ID': `<s${n}@acme.test>`, ...headers }), { from });
      return (await inbox.newest())?.conversation ?? { id: '', contactId: '' };
    };
    const [{ contactId: intoId }, { contactId: id }] = [
      await write('ada@acme.test', 1),
      await write(NORA, 2),
    ];
    const actor = { kind: 'teammate' as const, teammate: agent };
    await mergeContacts({ workspaceId, id: id ?? '', intoId: intoId ?? '', actor });
    const conversation = await write(NORA, 3);
    expect(conversation.contactId).toBe(intoId);
    await inbox.reply(conversation.id);
    expect(mail.received.at(-1)?.to).toEqual([NORA]);
    expect(mail.received.at(-1)?.email.text).toContain('wrote:');
    const screens = await (await signInTeammate(agent))();
    expect(await screens.conversations.get({ id: conversation.id })).toMatchObject({
      conversation: { formOffer: null },
    });
    await write('ada@acme.test', 4, { 'In-Reply-To': mail.received.at(-1)?.email.messageId });
    await inbox.reply(conversation.id);
    expect(mail.received.at(-1)?.to).toEqual(['ada@acme.test']);
  });

  test('the address from which a conversation was written, after its contact was merged into another one', async ({
    mail,
    inbox,
    dns,
    teammates,
  }) => {
    const { agent, workspaceId } = teammates;
    dns.answers.set('winter.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    await inbox.bring(rawMail({ 'Message-ID': '<m1@acme.test>' }));
    const adas = await inbox.newest();
    await inbox.bring(rawMail({ From: NORA, 'Message-ID': '<m2@winter.test>' }), { from: NORA });
    const noras = await inbox.newest();
    const id = noras?.conversationId ?? '';
    const author = { workspaceId, conversationId: id, author: agent, content: 'Hello Nora' };
    const failed = await makeFailed(mail, teammates, id);
    const [queued, waiting] = [randomUUID(), randomUUID()];
    for (const each of [queued, waiting]) await scheduleReply({ ...author, id: each });
    await sendPendingReply(queued);
    await mergeContacts({
      workspaceId,
      id: noras?.conversation.contactId ?? '',
      intoId: adas?.conversation.contactId ?? '',
      actor: { kind: 'teammate', teammate: agent },
    });
    await inbox.reply(id);
    expect(mail.received.at(-1)?.to).toEqual([NORA]);
    await sendPendingReply(waiting);
    await resend(teammates, id, failed);
    for (const each of [queued, waiting, failed]) await sendQueuedMessage(each);
    expect(mail.received.map(({ to }) => to)).toEqual([[NORA], [NORA], [NORA], [NORA]]);
    await inbox.reply(adas?.conversationId ?? '');
    expect(mail.received.at(-1)?.to).toEqual(['ada@acme.test']);
  });

  test('nobody behind a form who is blocked', async ({ inbox, mailbox, teammates }) => {
    await blockTyped({ workspaceId: mailbox.workspaceId, typed: 'uma@mail.test', by: teammates.admin });
    for (const person of ['uma', 'bo']) {
      await inbox.bring(rawMail({ From: mailbox.address, 'Reply-To': `${person}@mail.test` }));
    }
    const contacts = (await inbox.messages()).map(({ conversation }) => conversation.contact?.claimedEmail);
    expect(contacts).toEqual(['bo@mail.test']);
    expect(await listRefused(mailbox.workspaceId)).toEqual(['uma@mail.test']);
  });

  test('the persons in Reply-To of a listed form, who are told apart, until the form is removed', async ({
    mail,
    inbox,
    teammates,
  }) => {
    const admin = await (await signInTeammate(teammates.admin))();
    await admin.channels.addForm({ address: ' Ada@Acme.test ' });
    const [form] = (await admin.channels.email()).forms;
    expect(form?.address).toBe('ada@acme.test');
    const write = (n: number, person: string) =>
      inbox.bring(rawMail({ 'Message-ID': `<w${n}@acme.test>`, 'Reply-To': `${person}@mail.test` }));
    await write(1, 'uma');
    await write(2, 'bo');
    const [first, second] = await inbox.messages();
    expect(second?.conversation.contact?.claimedEmail).toBe('bo@mail.test');
    expect(first?.conversation).toMatchObject({ contactClaimed: true, contact: { email: null } });
    expect(first).toMatchObject({ automatic: false, senderVerified: false });
    expect(await inbox.events()).toContain('message.received');
    await inbox.reply(first?.conversationId ?? '');
    expect(mail.received.at(-1)?.to).toEqual(['uma@mail.test']);
    await admin.channels.removeForm({ id: form?.id ?? '' });
    await write(3, 'uma');
    expect((await inbox.newest())?.conversation.contact?.email).toBe('ada@acme.test');
    const kinds = await db().auditEntry.findMany({
      where: { kind: { startsWith: 'form_' } },
      select: { kind: true },
    });
    expect(kinds).toEqual([{ kind: 'form_added' }, { kind: 'form_removed' }]);
  });

  test('the person in Reply-To of a form, if From is our mailbox or names no address', async ({
    mail,
    inbox,
    mailbox,
  }) => {
    const forms = [
      { From: `Our website <${mailbox.address}>`, 'Reply-To': 'Uma Falk <uma@falk.test>' },
      { From: '"Lea Roth" <>', 'Reply-To': 'lea@roth.test' },
    ];
    for (const [at, headers] of forms.entries()) {
      // Many programs write a Message-ID of the same shape as ours, at the domain of From.
      const id = `<0b1f2e3d-4c5b-6a79-8897-a6b5c4d3e2f${at}@${mailbox.domain}>`;
      await inbox.bring(rawMail({ ...headers, 'Message-ID': id }));
      const received = await inbox.newest();
      expect(received).toMatchObject({
        automatic: false,
        senderVerified: false,
        conversation: { contactClaimed: true, contact: { email: null } },
      });
      await inbox.reply(received?.conversationId ?? '');
    }
    expect(mail.received.map(({ to }) => to)).toEqual([['uma@falk.test'], ['lea@roth.test']]);
    expect((await inbox.events()).filter((key) => key === 'message.received')).toHaveLength(2);
  });
});

test.for(['with SPF', 'without records'])(
  'the person behind a form joins the conversation by answering our reply, at a domain %s',
  async (which, { mail, mailbox, inbox, dns, teammates: { workspaceId } }) => {
    if (which === 'with SPF') dns.answers.set('falk.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    const [from, eve] = ['uma@falk.test', 'eve@acme.test'];
    await inbox.bring(rawMail({ From: mailbox.address, 'Reply-To': `Uma <${from}>` }), {
      from: mailbox.address,
    });
    const { conversationId = '' } = (await inbox.newest()) ?? {};
    const answer = (sender: string, n: number, answered = '') =>
      inbox.bring(rawMail({ From: sender, 'Message-ID': `<a${n}@acme.test>`, 'In-Reply-To': answered }), {
        from: sender,
      });
    await inbox.reply(conversationId);
    const answered = mail.received.at(-1)?.email.messageId;
    await answer(from, 1, answered);
    expect(await inbox.newest()).toMatchObject({ conversationId, threadReason: 'answers', authorName: null });
    await answer(eve, 2, answered);
    expect((await inbox.newest())?.conversationId).not.toBe(conversationId);
    await inbox.reply(conversationId);
    expect(mail.received.at(-1)?.to).toEqual([from]);
    expect(
      await db().contact.count({ where: { workspaceId, OR: [{ email: from }, { claimedEmail: from }] } }),
    ).toBe(1);
  },
);

test('our own mail that comes back to a mailbox is automatic', async ({ mail, mailbox, inbox }) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  const { raw = '', email } = mail.received.at(-1) ?? {};
  const withoutReplyTo = raw.replace(/^Reply-To: .*\r\n/im, '');
  const withoutId = raw.replace(/^Message-ID: .*$/im, 'Message-ID: <1@relay.test>');
  for (const returned of [withoutReplyTo, withoutId]) {
    await inbox.bring(returned, { from: mailbox.address });
    expect(await inbox.newest()).toMatchObject({ direction: 'inbound', automatic: true });
  }
  expect(email?.messageId).toMatch(/^<[0-9a-f-]{36}@/);
});

describe('an attacker who writes under the address of a contact', () => {
  test('whose domain publishes nothing cannot redirect the answers of a conversation', async ({
    mail,
    inbox,
  }) => {
    const From = 'Mia <mia@open.test>';
    await inbox.bring(rawMail({ From, 'Message-ID': '<m1@open.test>' }, 'My secret'), {
      from: 'mia@open.test',
    });
    const id = (await inbox.newest())?.conversationId ?? '';
    await inbox.reply(id);
    const forged = {
      From,
      'Message-ID': '<m2@open.test>',
      'In-Reply-To': mail.received[0]?.email.messageId ?? '',
    };
    await inbox.bring(rawMail({ ...forged, 'Reply-To': 'eve@evil.test' }), { from: 'eve@evil.test' });
    expect(await inbox.newest()).toMatchObject({ conversationId: id, replyTo: ['eve@evil.test'] });
    await inbox.reply(id);
    expect(mail.received.at(-1)?.to).toEqual(['mia@open.test']);
  });

  test('gets no quoted text at the Reply-To that only an unverified mail named', async ({ mail, inbox }) => {
    const reply = (from: string) =>
      rawMail({ From: from, 'Reply-To': NORA, 'Message-ID': `<${from}>` }, 'The text');
    for (const from of ['mia@open.test', 'ada@acme.test']) {
      await inbox.bring(reply(from), { from });
      await inbox.reply((await inbox.newest())?.conversationId ?? '');
      expect(mail.received.at(-1)?.to).toEqual([NORA]);
    }
    expect(mail.received.map(({ email }) => email.text?.includes('The text'))).toEqual([false, true]);
  });

  test('gets no quoted text of a verified mail that arrives before the reply is sent', async ({
    mail,
    inbox,
    mailbox,
    dns,
  }) => {
    const eve = 'eve@evil.test';
    const headers = { From: 'mia@open.test', 'Reply-To': eve, 'Message-ID': '<1@open.test>' };
    await inbox.bring(rawMail(headers), { from: eve });
    const id = (await inbox.newest())?.conversationId ?? '';
    dns.answers.set('open.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    const secret = { From: 'mia@open.test', 'Message-ID': '<2@open.test>', 'In-Reply-To': '<1@open.test>' };
    await inbox.bring(rawMail(secret, 'My secret'), { from: 'mia@open.test' });
    expect(await inbox.newest()).toMatchObject({ conversationId: id, senderVerified: true });
    const { workspaceId, agent: teammate } = mailbox;
    const actor = { kind: 'teammate', teammate } as const;
    await sendReply({ workspaceId, id, actor, content: 'Hello', mailTo: [eve] });
    await inbox.reply(id);
    expect(mail.received.map(({ to, email }) => [to, email.text?.includes('My secret')])).toEqual([
      [[eve], false],
      [['mia@open.test'], true],
    ]);
  });
});

describe('mail through a Google group whose address is our mailbox', () => {
  test('is its author’s, who joins the conversation if the group signed the mail', async ({
    mail,
    inbox,
    mailbox,
    dns,
  }) => {
    const { conversationId } = await inbox.first();
    await inbox.reply(conversationId);
    await db().conversation.update({
      where: { id: conversationId },
      data: { status: 'solved', resolvedAt: new Date() },
    });
    const group = groupOf(mailbox.address);
    dns.answers.set(`s1._domainkey.${mailbox.domain}`, [
      ['v=DKIM1; p=', PUBLIC_KEY.slice(0, 200), PUBLIC_KEY.slice(200)],
    ]);
    dns.answers.set(`_dmarc.${mailbox.domain}`, [['v=DMARC1; p=reject']]);
    const answer = {
      ...group('ada@acme.test'),
      'Message-ID': '<g1@acme.test>',
      'In-Reply-To': mail.received[0]?.email.messageId ?? '',
    };
    await inbox.bringVerbatim(await signed(rawMail(answer), mailbox.domain), mailbox.address);
    expect(await inbox.newest()).toMatchObject({
      conversationId,
      automatic: false,
      senderVerified: true,
      conversation: { status: 'open' },
    });
    await inbox.bringVerbatim(
      await signed(rawMail({ ...group('paul@stein.test'), 'Message-ID': '<g2@x>' }), mailbox.domain),
    );
    expect(await inbox.newest()).toMatchObject({
      senderVerified: true,
      conversation: { contact: { email: 'paul@stein.test', firstName: 'Paul' } },
    });
    // An attacker adds the fields of a group to a mail that we signed.
    const { 'X-Original-Sender': _, 'X-Original-From': __, ...plain } = answer;
    const forged = (await signed(rawMail(plain), mailbox.domain)).replace(
      '\r\nFrom:',
      '\r\nX-Original-From: ada@acme.test\r\nFrom:',
    );
    await inbox.bringVerbatim(forged, mailbox.address);
    expect(await inbox.newest()).toMatchObject({
      senderVerified: false,
      conversation: { contact: { email: null } },
    });
    expect((await inbox.newest())?.conversationId).not.toBe(conversationId);
  });

  test('is no mailing list if From was not rewritten, and proves as much as From', async ({
    inbox,
    mailbox,
  }) => {
    const { 'List-ID': list, Precedence } = groupOf(mailbox.address)('x@y');
    const from = 'paul@stein.test';
    await inbox.bring(rawMail({ From: from, 'List-ID': list, Precedence, 'Message-ID': '<n1@x>' }), { from });
    expect(await inbox.newest()).toMatchObject({
      automatic: false,
      conversation: { contact: { email: from } },
    });
  });

  test('joins the author’s conversation without a signature only if the author’s domain publishes nothing', async ({
    mail,
    inbox,
    mailbox,
    dns,
  }) => {
    const joined: boolean[] = [];
    for (const domain of ['open.test', 'acme.test', 'spf.test']) {
      dns.answers.set('spf.test', [['v=spf1 -all']]);
      const author = `mia@${domain}`;
      await db().contact.create({
        data: { workspaceId: mailbox.workspaceId, email: author, firstName: 'Mia' },
      });
      await inbox.bring(rawMail({ From: author, 'Message-ID': `<o1@${domain}>` }), { from: author });
      const id = (await inbox.newest())?.conversationId ?? '';
      await inbox.reply(id);
      const inReplyTo = mail.received.at(-1)?.email.messageId ?? '';
      await inbox.bring(
        rawMail({
          ...groupOf(mailbox.address)(author),
          'Message-ID': `<o2@${domain}>`,
          'In-Reply-To': inReplyTo,
        }),
        { from: 'mia@elsewhere.test' },
      );
      joined.push((await inbox.newest())?.conversationId === id);
    }
    expect(joined).toEqual([true, false, false]);
  });
});

/** Returns the headers of a mail that a group sends for an author. */
function groupOf(address: string) {
  return (author: string) => ({
    From: `"'Paul Stein' via Support" <${address}>`,
    'X-Original-From': `Paul Stein <${author}>`,
    'X-Original-Sender': author,
    'List-ID': `Support <${address.replace('@', '.')}>`,
    Precedence: 'list',
  });
}

async function signed(raw: string, signingDomain: string): Promise<string> {
  const key = { signingDomain, selector: 's1', privateKey: PRIVATE_KEY };
  const fields = raw
    .slice(0, raw.indexOf('\r\n\r\n'))
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')));
  const { signatures } = await dkimSign(raw, { ...key, headerList: fields.join(':'), signatureData: [key] });
  return signatures + raw;
}

const { privateKey: PRIVATE_KEY, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
});
const PUBLIC_KEY = publicKey.toString('base64');
