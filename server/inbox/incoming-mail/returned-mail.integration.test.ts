import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { askForRating } from '#server/inbox/ratings/ask-for-rating.ts';
import { type Inbox, test } from '#test/fixtures/received-mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';
import type { ReceivedMail } from '#test/servers/mail-server.ts';

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

test('a rating request that comes back starts no conversation and changes nothing, and an answer to it reopens the conversation', async ({
  teammates: { workspaceId },
  mail,
  inbox,
}) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  await db().workspace.update({ where: { id: workspaceId }, data: { askForRating: true } });
  const solved = { status: 'solved', resolvedAt: new Date() } as const;
  await db().conversation.update({ where: { id: conversationId }, data: solved });
  await askForRating(conversationId);
  const request = mail.received.at(-1);
  const before = await inbox.events();
  await inbox.bring(bounce(request?.email.messageId ?? ''), { from: '', to: request?.from ?? '' });
  expect((await inbox.messages()).map(({ sendStatus }) => sendStatus)).toEqual([null, 'sent']);
  expect(await inbox.events()).toEqual(before);

  await inbox.bring(rawMail({ 'Message-ID': '<still@acme.test>' }, 'It is still broken.'), {
    to: request?.email.replyTo?.[0]?.address ?? '',
  });
  expect(await inbox.newest()).toMatchObject({ conversationId, conversation: { status: 'open' } });
});

describe('a mail with the null sender to a bounce address', () => {
  test.for(Object.entries(failures()))(
    'sets its message to failed, if it is a bounce %s',
    async ([_how, raw], { mail, inbox }) => {
      const { state, conversationId, before } = await returnMail({ mail, inbox }, raw);
      expect(state).toMatchObject({
        sendStatus: 'failed',
        deliveryError: expect.stringMatching(/^The mail server of ada@acme\.test returned the email/),
      });
      expect(await inbox.newest()).toMatchObject({ conversationId, automatic: true });
      expect(await inbox.events()).toEqual(before);
    },
  );

  test.for(['delayed', 'relayed'] as const)(
    'adds an entry to the timeline, if it reports that the mail is %s',
    async (action, { mail, inbox }) => {
      const raw = bounce('').replace('Action: failed', `Action: ${action}`);
      const { state, conversationId } = await returnMail({ mail, inbox }, raw);
      expect(state).toMatchObject({ sendStatus: 'sent', deliveryError: null, arrivalDoubtful: false });
      expect(
        await db().timelineEntry.findMany({ where: { conversationId, kind: 'delivery_reported' } }),
      ).toMatchObject([{ data: { email: 'ada@acme.test', state: action } }]);
    },
  );

  test.for([
    ['cannot be read', { From: 'MAILER-DAEMON@mx.acme.test', Subject: 'Sorry' }, 'Something is wrong.'],
    [
      'names no author',
      { From: 'MAILER-DAEMON', Subject: 'Sorry', 'Auto-Submitted': 'auto-replied' },
      'Something is wrong.',
    ],
    [
      'reports the failure of another address',
      {},
      bounce('').replaceAll('ada@acme.test', 'a17@mx.acme.test'),
    ],
  ] as const)(
    'shows that its message may not have arrived, and notifies the author once, if it %s',
    async ([_what, headers, body], { teammates, mail, inbox }) => {
      const raw = 'From' in headers ? rawMail(headers, body) : body;
      const { state, conversationId, outgoing } = await returnMail({ mail, inbox }, raw);
      await inbox.bring(`X-Copy: 2\r\n${raw}`, { from: '', to: outgoing.from });
      expect(state).toMatchObject({ sendStatus: 'sent', deliveryError: null, arrivalDoubtful: true });
      expect(await inbox.newest()).toMatchObject({
        conversationId,
        automatic: true,
        originalFileId: expect.any(String),
      });
      const notified = { userId: teammates.agent.id, kind: 'message_failed' } as const;
      expect(await db().notification.findMany({ where: notified })).toMatchObject([
        { data: { isDoubtful: true } },
      ]);
      const screens = await (await signInTeammate(teammates.agent))();
      const opened = await screens.conversations.get({ id: conversationId });
      expect(opened?.conversation.items.filter(({ id }) => id === state.id)).toMatchObject([
        {
          sending: {
            state: 'doubtful',
            sentence: expect.stringContaining('May not have arrived'),
            canSendAgain: false,
          },
        },
      ]);
    },
  );

  test.for([
    ['an absence note of the contact', { 'Auto-Submitted': 'auto-replied' }],
    ['an absence note of the contact that only its author explains', {}],
    [
      'an absence note from another address of the contact',
      { From: 'ada@home.test', 'Auto-Submitted': 'auto-replied' },
    ],
    ['a receipt', { 'Content-Type': 'multipart/report; report-type=disposition-notification; boundary=d' }],
  ] as const)('leaves its message as it is, if it is %s', async ([_what, headers], { mail, inbox }) => {
    const { state, conversationId } = await returnMail({ mail, inbox }, rawMail(headers, 'I am away.'));
    expect(state).toMatchObject({ sendStatus: 'sent', arrivalDoubtful: false });
    expect(await inbox.newest()).toMatchObject({ conversationId, automatic: true });
  });
});

test.for([
  ['an address that the contact asked to answer sets it to failed', 'billing@acme.test', 'failed'],
  ['the contact, who did not get it, does not', 'ada@acme.test', 'sent'],
] as const)(
  'of a reply to a Reply-To, a bounce about %s',
  async ([, address, sendStatus], { mail, inbox }) => {
    await inbox.bring(rawMail({ 'Reply-To': 'billing@acme.test' }));
    const conversationId = (await inbox.newest())?.conversationId ?? '';
    await inbox.reply(conversationId);
    expect(mail.received).toMatchObject([{ to: ['billing@acme.test'] }]);
    const raw = bounce('').replaceAll('ada@acme.test', address);
    await inbox.bring(raw, { from: '', to: mail.received[0]?.from ?? '' });
    expect(await db().message.findFirst({ where: { conversationId, direction: 'outbound' } })).toMatchObject({
      sendStatus,
      arrivalDoubtful: sendStatus === 'sent',
    });
  },
);

test.for([
  ['ada@acme.test', 'ada@acme.test'],
  ['tom@holt.test', 'tom@holt.test'],
  ['ada@acme.test', 'ada@new.test'],
] as const)(
  'a reply with a copy that came back from %s is sent again only to %s',
  async ([address, again], { mail, inbox, mailbox }) => {
    const { conversationId } = await inbox.first();
    const { workspaceId, agent } = mailbox;
    const actor = { kind: 'teammate', teammate: agent } as const;
    const copies = { cc: ['tom@holt.test'], bcc: ['boss@holt.test'] };
    const { id } = await sendReply({ workspaceId, id: conversationId, actor, content: 'Hello', ...copies });
    for (let times = 0; times < 2; times += 1) {
      const raw = bounce(`<${times}@acme.test>`).replaceAll('ada@acme.test', address);
      await inbox.bring(raw, { from: '', to: mail.received[0]?.from ?? '' });
    }
    await db().contact.updateMany({ where: { workspaceId, email: address }, data: { email: again } });
    await resendMessage({ workspaceId, conversationId, messageId: id, by: agent });
    await sendQueuedMessage(id);
    expect(mail.received.map(({ to }) => to)).toEqual([
      ['ada@acme.test', 'tom@holt.test', 'boss@holt.test'],
      [again],
    ]);
    expect(mail.received[1]?.email.cc).toEqual(mail.received[0]?.email.cc);
    expect(await db().message.findUnique({ where: { id } })).toMatchObject({
      sendStatus: 'sent',
      undeliveredTo: [],
    });
  },
);

test('a reply that the mail server refused for a copy is not sent to the contact again', async ({
  mail,
  inbox,
  mailbox,
}) => {
  const { conversationId } = await inbox.first();
  const { workspaceId, agent } = mailbox;
  const actor = { kind: 'teammate', teammate: agent } as const;
  mail.refuse('gone@holt.test');
  const reply = { workspaceId, id: conversationId, actor, content: 'Hello', cc: ['gone@holt.test'] };
  const { id } = await sendReply(reply);
  await resendMessage({ workspaceId, conversationId, messageId: id, by: agent });
  await sendQueuedMessage(id);
  expect(mail.received.map(({ to }) => to)).toEqual([['ada@acme.test']]);
  expect(await db().message.findUnique({ where: { id } })).toMatchObject({
    sendStatus: 'failed',
    undeliveredTo: ['gone@holt.test'],
  });
});

test('a bounce with nothing but a status says what the status means', async ({ mail, inbox }) => {
  const raw = bounce('').replace('Diagnostic-Code: smtp; 550 5.1.1 User unknown\r\n', '');
  const { state } = await returnMail({ mail, inbox }, raw);
  expect(state.deliveryError).toBe(
    'The mail server of ada@acme.test returned the email: the address does not exist (5.1.1).',
  );
});

test('reports with one Message-ID and text about two messages are both shown, each once', async ({
  mail,
  inbox,
}) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  await inbox.reply(conversationId);
  const raw = `Message-ID: <report@mx.acme.test>\r\n${bounce('')}`;
  const addresses = mail.received.map(({ from }) => from);
  for (const to of [...addresses, ...addresses]) await inbox.bring(raw, { from: '', to });
  expect(
    await db().message.findMany({
      where: { conversationId, direction: 'outbound' },
      select: { sendStatus: true },
    }),
  ).toEqual([{ sendStatus: 'failed' }, { sendStatus: 'failed' }]);
  expect(await db().message.count({ where: { conversationId, automatic: true } })).toBe(2);
});

test('a mail that comes back from a deleted or purged conversation starts no new one', async ({
  mail,
  inbox,
  mailbox: { workspaceId },
}) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  const to = mail.received[0]?.from ?? '';
  const removed = { removal: 'deleted', removedAt: new Date() } as const;
  await db().conversation.update({ where: { id: conversationId }, data: removed });
  await inbox.bring(bounce(mail.received[0]?.email.messageId ?? ''), { from: '', to });
  expect(await inbox.messages()).toHaveLength(2);
  await db().message.deleteMany({ where: { conversationId } });
  await expect(inbox.bring(bounce('<gone@acme.test>'), { from: '', to })).rejects.toThrow('550 5.1.1');
  expect(await db().conversation.count({ where: { workspaceId, id: { not: conversationId } } })).toBe(0);
  expect(
    await db().inboundUpdate.count({ where: { OR: [{ processedAt: null }, { error: { not: null } }] } }),
  ).toBe(0);
});

test('an attacker’s bounce changes nothing without the bounce address', async ({ mail, inbox }) => {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  await inbox.bring(bounce(mail.received[0]?.email.messageId ?? ''), { from: '' });
  expect(await db().message.findFirst({ where: { conversationId, direction: 'outbound' } })).toMatchObject({
    sendStatus: 'sent',
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

/** Answers Ada, and delivers a mail with the null sender to the bounce address of the answer. */
async function returnMail(
  { mail, inbox }: { mail: { received: ReceivedMail[] }; inbox: Inbox },
  raw: string,
) {
  const { conversationId } = await inbox.first();
  await inbox.reply(conversationId);
  const before = await inbox.events();
  const [outgoing] = mail.received;
  if (!outgoing) throw new Error('The answer was not sent.');
  await inbox.bring(raw, { from: '', to: outgoing.from });
  const state = await db().message.findFirstOrThrow({ where: { conversationId, direction: 'outbound' } });
  return { conversationId, before, outgoing, state };
}

/** Bounces of Ada's address: one of each source that the parser reads. */
function failures(): Record<string, string> {
  const from = { From: 'MAILER-DAEMON@mx.acme.test', Subject: 'Undeliverable' };
  const report = bounce('');
  return {
    'with an expired recipient in angle brackets': report
      .replace('rfc822; ada@acme.test', 'rfc822; <ada@acme.test>')
      .replace('Action: failed', 'Action: expired (too long)'),
    'without report-type, after another recipient': report
      .replace(' report-type=delivery-status;', '')
      .replace(
        'Final-Recipient',
        'Final-Recipient: rfc822; bob@acme.test\r\nAction: relayed\r\n\r\nFinal-Recipient',
      ),
    'that only X-Failed-Recipients explains': rawMail(
      { ...from, 'X-Failed-Recipients': 'ada@acme.test' },
      'Sorry.',
    ),
    'that only its text explains': rawMail(
      from,
      'Could not be delivered to:\r\n\r\n  Ada@Acme.test\r\n    550 5.1.1 no\r\n',
    ),
  };
}
