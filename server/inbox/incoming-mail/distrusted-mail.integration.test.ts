import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { linkContact } from '#server/inbox/claimed-addresses/link-contact.ts';
import { type Inbox, test } from '#test/fixtures/received-mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
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

  test('names a key of the bank that gets no answer does not reach the bank’s contact', async ({
    dns,
    mailbox,
    inbox,
  }) => {
    const { workspaceId } = mailbox;
    await db().contact.create({ data: { workspaceId, email: 'charles@bank.test' } });
    dns.answers.set('lame._domainkey.bank.test', 'broken');
    const signature = 'v=1; a=rsa-sha256; d=bank.test; s=lame; h=from; bh=AAAA; b=AAAA';
    const headers = { From: 'Charles <charles@bank.test>', 'DKIM-Signature': signature };
    await inbox.bring(rawMail(headers, 'Pay me'), { from: 'mallory@evil.test' });
    expect(await inbox.newest()).toMatchObject({
      senderVerified: false,
      conversation: { contact: { email: null, claimedEmail: 'charles@bank.test' } },
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
});

describe('a mail whose domain has no SPF, DKIM and DMARC records', () => {
  const bring = async (inbox: Inbox, content: string, headers: Record<string, string> = {}) => {
    const from = 'bob@tiny.test';
    const id = `<${randomUUID()}@tiny.test>`;
    await inbox.bring(rawMail({ From: `Bob <${from}>`, 'Message-ID': id, ...headers }, content), { from });
    return inbox.newest();
  };
  const NEITHER = { senderVerified: null };

  test('is from the contact who has the address, with one contact for all mails', async ({ inbox }) => {
    const [first, second] = [await bring(inbox, 'One'), await bring(inbox, 'Two')];
    expect(first).toMatchObject({ ...NEITHER, conversation: { contact: { email: 'bob@tiny.test' } } });
    expect(second?.conversation.contactId).toBe(first?.conversation.contactId);
  });

  test('does not take over an address that a visitor claims', async ({ mailbox, mail, inbox }) => {
    const { workspaceId } = mailbox;
    const visitor = await db().contact.create({ data: { workspaceId, claimedEmail: 'bob@tiny.test' } });
    const first = await bring(inbox, 'One');
    const second = await bring(inbox, 'Two');
    const claim = {
      contactClaimed: true,
      contact: { email: null, claimedEmail: 'bob@tiny.test', firstName: 'Bob' },
    };
    expect(first).toMatchObject({ ...NEITHER, conversation: claim });
    expect(first?.conversation.contactId).not.toBe(visitor.id);
    expect(second?.conversation.contactId).toBe(first?.conversation.contactId);

    await inbox.reply(second?.conversationId ?? '');
    const answer = await bring(inbox, 'Three', { 'In-Reply-To': mail.received[0]?.email.messageId ?? '' });
    expect(answer?.conversationId).toBe(second?.conversationId);
  });

  test('takes over a claimed address as soon as it passes', async ({ dns, mailbox, inbox }) => {
    const { workspaceId } = mailbox;
    await db().contact.create({ data: { workspaceId, claimedEmail: 'bob@tiny.test' } });
    dns.answers.set('tiny.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    const verified = await bring(inbox, 'One');
    expect(verified?.conversation).toMatchObject({
      contactClaimed: false,
      contact: { email: 'bob@tiny.test' },
    });
    dns.answers.delete('tiny.test');
    expect((await bring(inbox, 'Two'))?.conversation.contactId).toBe(verified?.conversation.contactId);
  });
});

describe('an answer of a contact', () => {
  test.for([
    ['X-Auto-Response-Suppress', 'All'],
    ['List-Unsubscribe', '<mailto:out@acme.test>'],
    ['Precedence', 'bulk'],
  ] as const)(
    'with the header %s reopens, notifies and emits its event, but starts no AI agent',
    async ([header, value], { teammates, inbox }) => {
      const { workspaceId, agent } = teammates;
      const before = await solved(inbox);
      await db().conversation.update({
        where: { id: before.conversationId },
        data: { assigneeId: agent.id, assignedAt: new Date() },
      });
      await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
      await inbox.bring(rawMail({ ...before.answers, [header]: value }, 'Yes, I want it.'));
      const answer = await inbox.newest();
      const { conversationId } = before;
      expect(answer).toMatchObject({ conversationId, automatic: false, conversation: { status: 'open' } });
      expect((await inbox.events()).slice(before.events.length)).toEqual([
        'conversation.status_changed',
        'message.received',
      ]);
      expect(await db().notification.count({ where: { userId: agent.id, kind: 'contact_wrote' } })).toBe(1);
      expect(await answerContact(exampleAgent, { messageId: answer?.id ?? '' })).toBe('silent');
    },
  );

  test('whose thread has the subject of an absence note reopens it', async ({ inbox }) => {
    const before = await solved(inbox, 'Out of office: how do I set it up?');
    await inbox.bring(
      rawMail({ ...before.answers, Subject: 'Out of office: how do I set it up?' }, 'Like this?'),
    );
    expect(await inbox.newest()).toMatchObject({ automatic: false, conversation: { status: 'open' } });
  });
});

describe('automatic mail', () => {
  const AUTO = { 'Auto-Submitted': 'auto-replied' };
  test('that is a reaction is shown once at its message, without a file, an event or a message', async ({
    teammates,
    inbox,
  }) => {
    const { conversationId, answers, events } = await solved(inbox);
    const reaction = rawMail(
      { ...answers, 'Content-Type': 'text/vnd.google.email-reaction+json; charset=utf-8' },
      '{"emoji":"👍","version":1}',
    );
    await inbox.bring(reaction);
    await inbox.bring(`X-Again: 1\r\n${reaction}`);
    expect(await inbox.messages()).toMatchObject([{ conversation: { status: 'solved' } }]);
    expect(await inbox.events()).toEqual(events);
    const screens = await (await signInTeammate(teammates.agent))();
    const opened = await screens.conversations.get({ id: conversationId });
    expect(opened?.conversation.items.filter(({ kind }) => kind === 'message')).toMatchObject([
      { attachments: [], reactions: [{ emoji: '👍', names: ['Ada Lovelace'] }] },
    ]);
    await inbox.bring(reaction.replace(/In-Reply-To: .*/, 'X-No: reference'));
    expect(await inbox.newest()).toMatchObject({ automatic: true, attachmentsCount: 0 });
  });

  test.for(['Automatic reply: A question', 'Abwesenheitsnotiz: A question'])(
    'with only the subject “%s” reopens nothing in its thread',
    async (subject, { inbox }) => {
      const before = await solved(inbox);
      await inbox.bring(rawMail({ ...before.answers, Subject: subject }, 'I am away.'));
      const { conversationId } = before;
      expect(await inbox.newest()).toMatchObject({
        conversationId,
        automatic: true,
        conversation: { status: 'solved' },
      });
      expect(await inbox.events()).toEqual(before.events);
    },
  );

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

/** Receives a first mail, and solves its conversation. */
async function solved(inbox: Inbox, subject = 'A question') {
  await inbox.bring(rawMail({ 'Message-ID': `<${randomUUID()}@acme.test>`, Subject: subject }));
  const first = await inbox.newest();
  if (!first) throw new Error('The mail was not received.');
  const { conversationId, mailReferences } = first;
  const data = { status: 'solved', resolvedAt: new Date() } as const;
  await db().conversation.update({ where: { id: conversationId }, data });
  const answers = { 'In-Reply-To': mailReferences[0]?.messageIdHeader ?? '' };
  return { conversationId, answers, events: await inbox.events() };
}
