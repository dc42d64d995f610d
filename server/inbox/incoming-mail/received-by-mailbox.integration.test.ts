import { describe, expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { testMailReference } from '#server/inbox/channels/email/inbound-addresses.ts';
import { statementsOf } from '#test/database/statements.ts';
import { test } from '#test/fixtures/received-mail-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

describe('mail to a mailbox with a subaddress', () => {
  test('reaches the mailbox, and the thread shows the subaddress, also when no field of the mail names it', async ({
    teammates,
    mailbox,
    inbox,
  }) => {
    const tagged = mailbox.address.replace('@', '+billing@');
    await inbox.bring(rawMail({ To: tagged.toUpperCase(), 'Message-ID': '<1@acme.test>' }), { to: tagged });
    await inbox.bring(rawMail({ To: 'list@acme.test', 'Message-ID': '<2@acme.test>' }), {
      to: [mailbox.address, tagged.toUpperCase()],
    });
    const messages = await inbox.messages();
    const { id: mailboxId } = await db().mailbox.findFirstOrThrow({ where: { address: mailbox.address } });
    expect(messages.map(({ conversation }) => conversation.mailboxId)).toEqual([mailboxId, mailboxId]);
    const screens = await (await signInTeammate(teammates.owner))();
    const recipientsOf = async (id = '') => {
      const opened = await screens.conversations.get({ id });
      return opened?.conversation.items.flatMap((item) => (item.kind === 'message' ? [item.recipients] : []));
    };
    expect(await recipientsOf(messages[0]?.conversationId)).toEqual([{ to: [tagged], cc: [], bcc: [] }]);
    expect(await recipientsOf(messages[1]?.conversationId)).toEqual([
      { to: ['list@acme.test', tagged], cc: [], bcc: [] },
    ]);
  });

  test('reaches the mailbox that has the longest part of the address', async ({ mailbox, inbox }) => {
    const { workspaceId, address } = mailbox;
    const own = address.replace('@', '+eu@');
    const { id } = await db().mailbox.create({ data: { workspaceId, address: own, name: 'Europe' } });
    for (const to of [own, address.replace('@', '+eu+de@')]) {
      await inbox.bring(rawMail({ To: to, 'Message-ID': `<${to}>` }), { to });
    }
    const messages = await inbox.messages();
    expect(messages.map(({ conversation }) => conversation.mailboxId)).toEqual([id, id]);
  });

  test('from itself is never answered, so that a mailbox does not write to itself', async ({
    mail,
    mailbox,
    inbox,
    dns,
  }) => {
    const tagged = mailbox.address.replace('@', '+x@');
    dns.answers.set(mailbox.domain, [['v=spf1 ip4:127.0.0.1 -all']]);
    await inbox.bring(rawMail({ From: tagged, To: mailbox.address }), { from: tagged });
    const received = await inbox.newest();
    expect(received).toMatchObject({ automatic: false });
    const reply = await inbox.reply(received?.conversationId ?? '');
    expect(reply).toMatchObject({ send_status: 'failed' });
    expect(reply.delivery_error).toContain('one of your own addresses');
    expect(mail.received).toEqual([]);
  });
});

describe('mail that another mail server forwards to a mailbox’s forwarding address', () => {
  test('reaches the mailbox, whose settings then show when it last received email', async ({
    teammates,
    mailbox,
    inbox,
  }) => {
    const before = await shownMailbox(teammates.owner);
    expect(before).toMatchObject({ lastReceivedAt: null, address: mailbox.address });
    expect(before.nextStep?.text).toMatch(/^Send a test email .* once the MX record of \S+ points here/);
    expect(before.forwardTo).toMatch(/^forward\+[0-9a-f]{32}@inbox\.test$/);
    await inbox.bring(rawMail({ To: mailbox.address }), { to: before.forwardTo?.toUpperCase() ?? '' });
    expect((await inbox.newest())?.conversation.mailboxId).toBe(before.id);
    const after = await shownMailbox(teammates.owner);
    expect(after.lastReceivedAt).toBeInstanceOf(Date);
    expect(after.nextStep?.href).toBe('#email-domains');
  });

  test('is answered from the mailbox itself, as its domain’s mail server knows no other address, until the domain’s mail arrives here', async ({
    teammates,
    mail,
    mailbox,
    inbox,
  }) => {
    const { forwardTo } = await shownMailbox(teammates.owner);
    const to = forwardTo ?? '';
    await inbox.bring(rawMail({ To: mailbox.address, 'Message-ID': '<1@acme.test>' }), { to });
    const id = (await inbox.newest())?.conversationId ?? '';
    await inbox.reply(id);
    const sent = mail.received.at(-1);
    expect(sent?.email).toMatchObject({ from: { address: mailbox.address } });
    expect(sent?.email.replyTo).toBeUndefined();
    expect(sent?.from).toBe(mailbox.address);
    const answer = { 'Message-ID': '<2@acme.test>', 'In-Reply-To': sent?.email.messageId ?? '' };
    await inbox.bring(rawMail({ To: mailbox.address, ...answer }), { to });
    expect(await inbox.newest()).toMatchObject({ conversationId: id, threadReason: 'answers' });
    await inbox.bring(rawMail({ To: mailbox.address, 'Message-ID': '<3@acme.test>' }));
    await inbox.reply(id);
    expect(mail.received.at(-1)?.email.replyTo).toMatchObject([
      { address: expect.stringMatching(`^reply\\+.*@${mailbox.domain}$`) },
    ]);
  });

  test('has the bounces of its answers at the service if these are signed', async ({
    teammates,
    mail,
    mailbox,
    inbox,
    dns,
  }) => {
    const { forwardTo, domainId, channels } = await shownMailbox(teammates.owner);
    await channels.makeSigningKey({ domainId });
    const { record } = (await channels.email()).domains[0]?.signing ?? {};
    dns.answers.set(record?.name ?? '', [record?.value.match(/.{1,200}/g) ?? []]);
    await until('the record is found', async () => (await channels.checkSigningKey({ domainId })) === null);
    await inbox.bring(rawMail({ To: mailbox.address }), { to: forwardTo ?? '' });
    await inbox.reply((await inbox.newest())?.conversationId ?? '');
    const { from = '', raw } = mail.received.at(-1) ?? {};
    expect(from).toMatch(/^bounce\+[a-z2-7]{52}@inbox\.test$/);
    expect(raw).toMatch(/^DKIM-Signature:/im);
    const report = { 'Content-Type': 'message/delivery-status', From: 'mailer-daemon@acme.test' };
    const failure = 'Final-Recipient: rfc822; ada@acme.test\r\nAction: failed\r\nStatus: 5.1.1';
    await inbox.bring(rawMail(report, failure), { to: from, from: '' });
    expect((await inbox.messages()).map(({ sendStatus }) => sendStatus)).toEqual([null, 'failed', null]);
    const { conversations } = await (await signInTeammate(teammates.agent))();
    const create = conversations.create({ to_email: from, to_name: '', subject: 'Hi', content: 'Hi' });
    await expect(create).rejects.toMatchObject({ cause: { refusal: 'invalid' } });
  });

  test('is refused for a mailbox that does not exist', async ({ mailbox, inbox }) => {
    const unknown = `forward+${'0'.repeat(32)}@inbox.test`;
    await expect(inbox.bring(rawMail({ To: mailbox.address }), { to: unknown })).rejects.toMatchObject({
      responseCode: 550,
    });
  });

  test('is not written to by the workspace itself', async ({ teammates, mailbox: _ }) => {
    const { forwardTo } = await shownMailbox(teammates.owner);
    const { conversations } = await (await signInTeammate(teammates.agent))();
    await expect(
      conversations.create({ to_email: forwardTo ?? '', to_name: '', subject: 'Hi', content: 'Hi' }),
    ).rejects.toMatchObject({ cause: { refusal: 'invalid' } });
  });
});

describe('a test email', () => {
  test('is shown as received, in whichever mailbox it arrives, and starts no conversation', async ({
    teammates,
    mailbox,
    mail,
    inbox,
  }) => {
    const { channels } = await (await signInTeammate(teammates.admin))();
    const { id: mailboxId, forwardTo } = await shownMailbox(teammates.owner);
    await channels.sendTestMail({ mailboxId });
    expect(await shownMailbox(teammates.owner)).toMatchObject({
      testSentAt: expect.any(Date),
      testReceivedAt: null,
    });
    const sent = mail.received.at(-1);
    expect(sent?.to).toEqual([mailbox.address]);
    // A relay may change the Message-ID.
    const raw = (sent?.raw ?? '').replace(/^Message-ID: .*$/im, 'Message-ID: <1@relay.test>');
    await inbox.bring(raw, { to: forwardTo ?? '', from: 'no-reply@inbox.test' });
    expect(await shownMailbox(teammates.owner)).toMatchObject({ testReceivedAt: expect.any(Date) });
    expect(await inbox.messages()).toEqual([]);
  });

  test('of an attacker who was not sent one is an ordinary email', async ({ teammates, inbox }) => {
    const { id } = await shownMailbox(teammates.owner);
    await inbox.bring(rawMail({ References: testMailReference(id) }));
    await inbox.bring(rawMail({ References: '<test+aaaa@test.invalid>', 'Message-ID': '<2@acme.test>' }));
    expect(await inbox.messages()).toHaveLength(2);
    expect(await shownMailbox(teammates.owner)).toMatchObject({ testReceivedAt: null });
  });

  test('is refused to agents and to other workspaces, and after ten in a minute', async ({ teammates }) => {
    const { id: mailboxId } = await shownMailbox(teammates.owner);
    const agent = await (await signInTeammate(teammates.agent))();
    const stranger = await (await signInTeammate((await makeTeammates()).owner))();
    const owner = await (await signInTeammate(teammates.owner))();
    const sendAs = ({ channels }: typeof owner) => channels.sendTestMail({ mailboxId });
    await expect(sendAs(agent)).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    await expect(sendAs(stranger)).rejects.toMatchObject({ cause: { refusal: 'not_found' } });
    for (let sent = 0; sent < 10; sent += 1) await sendAs(owner);
    await expect(sendAs(owner)).rejects.toThrow('Too many test emails');
  });
});

test('the email settings take one statement, and say that a domain has no MX record', async ({
  teammates,
  mailbox: _,
}) => {
  const { channels } = await (await signInTeammate(teammates.admin))();
  expect(await statementsOf(() => channels.email())).toHaveLength(1);
  const { domains } = await channels.email();
  expect(await channels.mailRoutes()).toEqual([{ domainId: domains[0]?.id, state: 'none', servers: [] }]);
  await useUpLimit(teammates.workspaceId, 'mail_route');
  expect(await channels.mailRoutes()).toMatchObject([{ state: 'unknown' }]);
});

/** Returns the only mailbox as the email settings show it, with their next step, its domain, and the calls about channels. */
async function shownMailbox(by: Teammate) {
  const { channels } = await (await signInTeammate(by))();
  const { mailboxes, domains, nextStep } = await channels.email();
  const [mailbox] = mailboxes;
  if (!mailbox) throw new Error('There is no mailbox.');
  return { ...mailbox, nextStep, domainId: domains[0]?.id ?? '', channels };
}

const CALENDAR = [
  'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:Demo',
  'DTSTART;TZID=Europe/Berlin:20261201T100000\r\nLOCATION:Room 4\r\nEND:VEVENT\r\nEND:VCALENDAR',
].join('\r\n');

test.for([
  ['nothing', {}, '', { content: '[This email has no text.]', attachments_count: 0 }],
  [
    'what only its recipient can read',
    { 'Content-Type': 'application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m' },
    'c2VjcmV0',
    { content: '[Encrypted email: open the attached file to read it]', attachments_count: 1 },
  ],
  [
    'an invitation',
    { 'Content-Type': 'text/calendar; method=REQUEST' },
    CALENDAR,
    { content: '[Invitation: Demo, 1 Dec 2026, 10:00 (Europe/Berlin), Room 4]', attachments_count: 1 },
  ],
  [
    'a picture that it shows',
    { 'Content-Type': 'multipart/related; boundary=b' },
    [
      '--b\r\nContent-Type: text/html\r\n\r\n<p><img src="cid:shot@acme"></p>',
      '--b\r\nContent-Type: image/png\r\nContent-ID: <shot@acme>\r\n\r\ndata\r\n--b--\r\n',
    ].join('\r\n'),
    { content: '[1 picture]', attachments_count: 0 },
  ],
  ['a file', { 'Content-Type': 'application/pdf' }, 'data', { content: '[1 file]', attachments_count: 1 }],
] as const)(
  'a mail with only %s says so instead of text',
  async ([_what, headers, body, message], { inbox, teammates }) => {
    await inbox.bring(rawMail({ 'MIME-Version': '1.0', ...headers }, body));
    const { body: payload } = await db().event.findFirstOrThrow({
      where: { workspaceId: teammates.workspaceId, key: 'message.received' },
    });
    expect(JSON.parse(payload)).toMatchObject({ message });
  },
);

test('a teammate sees the invitation of a mail', async ({ inbox, teammates }) => {
  await inbox.bring(rawMail({ 'MIME-Version': '1.0', 'Content-Type': 'text/calendar' }, CALENDAR));
  const { conversationId } = (await inbox.newest()) ?? {};
  const agent = await (await signInTeammate(teammates.agent))();
  const opened = await agent.conversations.get({ id: conversationId ?? '' });
  expect(opened?.conversation.items.find(({ kind }) => kind === 'message')).toMatchObject({
    content: '',
    attachments: [{ name: 'invitation.ics' }],
    mail: {
      invitation: { kind: 'request', title: 'Demo', start: '2026-12-01T09:00:00.000Z', place: 'Room 4' },
    },
  });
});
