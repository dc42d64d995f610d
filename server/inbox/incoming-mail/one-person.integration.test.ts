import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import { resendMessage } from '#server/inbox/messages/resend-message.ts';
import { scheduleReply } from '#server/inbox/messages/schedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { type Inbox, test } from '#test/fixtures/received-mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

describe('a domain in Unicode and in ASCII is one domain', () => {
  test.for([
    ['info@xn--mller-kva.example', 'info@müller.example'],
    ['info@müller.example', 'INFO@XN--MLLER-KVA.EXAMPLE'],
  ] as const)(
    'mail from %s, then from %s, has one contact, which the screens show in Unicode',
    async (froms, { service, teammates, mailbox, inbox }) => {
      for (const [index, from] of froms.entries()) {
        await inbox.bring(rawMail({ From: `Info <${from}>`, 'Message-ID': `<${index}@mueller.example>` }), {
          from: 'bounces@mueller.example',
        });
      }
      const messages = await inbox.messages();
      const [contactId, ...others] = new Set(messages.map(({ conversation }) => conversation.contactId));
      expect([messages.length, others]).toEqual([2, []]);
      const screens = await (await signInTeammate(teammates.owner))();
      const opened = await screens.conversations.get({ id: messages[0]?.conversationId ?? '' });
      expect(opened?.conversation.contact).toMatchObject({ id: contactId, email: 'info@müller.example' });
      const { accessToken } = await makeConnection({
        workspaceId: mailbox.workspaceId,
        teammate: teammates.owner,
      });
      const api = apiClient(service.url, accessToken);
      for (const email of ['info@müller.example', 'info@xn--mller-kva.example']) {
        const found = await api('GET', `/contacts/search?email=${encodeURIComponent(email)}`);
        expect(found.body).toMatchObject([{ id: contactId, email: 'info@xn--mller-kva.example' }]);
        const duplicate = await api('POST', '/contacts', { name: 'Info', email });
        expect(duplicate.status).toBe(422);
      }
    },
  );

  test('so a blocked domain is refused in both forms', async ({ mailbox: { workspaceId }, inbox }) => {
    const value = 'xn--spm-rla.example';
    await db().blockedSender.create({
      data: { workspaceId, kind: 'domain', value, createdByName: 'Ada' },
    });
    for (const from of ['a@späm.example', `a@${value}`]) {
      await expect(inbox.bring(rawMail({ From: from }), { from: 'b@other.test' })).rejects.toThrow('550');
    }
    expect(await inbox.messages()).toEqual([]);
  });
});

test.for([
  ['"Doe, Jane (ACME)" <jane@acme.test>', 'Jane', 'Doe (ACME)'],
  ['"\'Bo Lang\'" <bo@acme.test>', 'Bo', 'Lang'],
  ['=?utf-8?Q?M=C3=BCller=2C_Anna?= <anna@acme.test>', 'Anna', 'Müller'],
  ['"Acme, Inc." <office@acme.test>', 'Acme,', 'Inc.'],
] as const)('mail from %s creates %s %s', async ([from, firstName, lastName], { inbox }) => {
  await inbox.bring(rawMail({ From: from }));
  expect((await inbox.newest())?.conversation.contact).toMatchObject({ firstName, lastName });
});

describe('the offer to list a sender as a form', () => {
  const offerOf = async (inbox: Inbox, teammate: Teammate) => {
    const id = (await inbox.newest())?.conversationId ?? '';
    return (await (await signInTeammate(teammate))()).conversations
      .get({ id })
      .then((opened) => opened?.conversation.formOffer);
  };
  const write = (n: number, asked: string, headers: Record<string, string> = {}) =>
    rawMail({ 'Message-ID': `<o${n}@acme.test>`, 'Reply-To': asked, ...headers });

  test('names the person in Reply-To, says who can list it, and ends when an admin does', async ({
    inbox,
    teammates,
  }) => {
    await inbox.bring(write(1, 'Uma <uma@mail.test>'));
    const offer = { address: 'ada@acme.test', person: 'uma@mail.test' };
    expect(await offerOf(inbox, teammates.agent)).toEqual({ ...offer, mayList: false });
    expect(await offerOf(inbox, teammates.admin)).toEqual({ ...offer, mayList: true });
    const agent = await (await signInTeammate(teammates.agent))();
    await expect(agent.channels.addForm({ address: offer.address })).rejects.toThrow('owners and admins');
    const admin = await (await signInTeammate(teammates.admin))();
    await admin.channels.addForm({ address: offer.address });
    expect(await offerOf(inbox, teammates.admin)).toBeNull();
    await inbox.bring(write(2, 'bo@mail.test'));
    expect((await inbox.newest())?.conversation.contact?.claimedEmail).toBe('bo@mail.test');
    expect(await offerOf(inbox, teammates.admin)).toBeNull();
  });

  test('is not repeated for a declined sender, who can still be listed in the settings', async ({
    inbox,
    teammates,
  }) => {
    await inbox.bring(write(3, 'uma@mail.test'));
    const agent = await (await signInTeammate(teammates.agent))();
    await agent.channels.declineForm({ address: 'ada@acme.test' });
    await inbox.bring(write(4, 'bo@mail.test'));
    const newest = await inbox.newest();
    expect(newest?.conversation.contact?.email).toBe('ada@acme.test');
    expect(await offerOf(inbox, teammates.admin)).toBeNull();
    const admin = await (await signInTeammate(teammates.admin))();
    expect((await admin.channels.email()).forms).toEqual([]);
    await admin.channels.addForm({ address: 'ada@acme.test' });
    expect((await admin.channels.email()).forms).toHaveLength(1);
    await agent.channels.declineForm({ address: 'ada@acme.test' });
    expect((await admin.channels.email()).forms).toHaveLength(1);
  });

  test.for([
    ['asks for an address of the same domain', { 'Reply-To': 'sales@acme.test' }],
    ['asks for the same person elsewhere', { 'Reply-To': 'ada@home.test' }],
    ['asks for several people', { 'Reply-To': 'uma@mail.test, bo@mail.test' }],
    ['asks for nobody', { 'Reply-To': 'ada@acme.test' }],
    ['is a stranger’s, who wants the bank listed', { From: 'Bank <info@bank.test>' }],
  ] as const)('is not made for an email that %s', async ([, headers], { inbox, teammates }) => {
    await inbox.bring(write(5, 'eve@evil.test', headers));
    expect(await inbox.newest()).toBeDefined();
    expect(await offerOf(inbox, teammates.admin)).toBeNull();
  });
});

describe('the offer of the person whom an email names', () => {
  const MIA = 'mia@kunde.test';
  const BLOCK = `Can you help her?\r\n\r\n---------- Forwarded message ---------\r\nFrom: Mia Berg <${MIA}>\r\nDate: Fri, 27 Nov 2026 at 10:00\r\nSubject: Order\r\nTo: <me@acme.test>\r\n\r\nWhere is my parcel?`;
  const forward = (from: string, headers: Record<string, string> = {}, body = BLOCK) =>
    rawMail({ From: from, Subject: 'Fwd: Order', 'Message-ID': '<fw@acme.test>', ...headers }, body);
  const opened = async (inbox: Inbox, teammate: Teammate) => {
    const id = (await inbox.newest())?.conversationId ?? '';
    const screens = await (await signInTeammate(teammate))();
    const read = async () => (await screens.conversations.get({ id }))?.conversation;
    return { id, screens, read, offer: async () => (await read())?.contactOffer };
  };
  const stateOf = async (id: string) => {
    const conversation = await db().conversation.findUniqueOrThrow({
      where: { id },
      select: {
        contactId: true,
        contactClaimed: true,
        linkedFromId: true,
        replyTo: true,
        usesReplyTo: true,
        messages: {
          where: { direction: 'inbound' },
          select: { id: true, authorName: true, authorAddress: true },
          orderBy: { createdAt: 'asc' },
        },
        timeline: { where: { actorKind: 'contact' }, select: { id: true, actorName: true } },
      },
    });
    return conversation;
  };

  test('whose email a teammate forwarded: one click answers them, and they join the conversation', async ({
    mail,
    inbox,
    teammates: { agent, workspaceId },
    dns,
  }) => {
    await inbox.bring(forward(`Aggie <${agent.email}>`, { 'Reply-To': 'aggie@home.test' }));
    const { id, screens, read, offer } = await opened(inbox, agent);
    expect(await offer()).toEqual({ kind: 'forward', email: MIA, isAccepted: false });
    expect(await read()).toMatchObject({ contact: { email: agent.email }, contactClaimed: false });
    const events = await inbox.events();
    await screens.claims.acceptOffer({ conversationId: id });
    expect((await inbox.events()).slice(events.length)).toEqual(['contact.created']);
    expect(await offer()).toEqual({ kind: 'forward', email: MIA, isAccepted: true });
    expect(await read()).toMatchObject({
      contactName: 'Mia Berg',
      contactClaimed: true,
      claim: { email: MIA, owner: null },
      items: [
        { kind: 'entry', sentence: 'Aggie started this conversation' },
        { kind: 'message', authorName: 'Aggie' },
        { kind: 'entry', sentence: 'Replies go to aggie@home.test, as their email asked' },
        { kind: 'entry', sentence: `Aggie Agent changed the contact to ${MIA}` },
      ],
    });
    await inbox.reply(id, 'It is on its way.');
    const reply = mail.received.at(-1);
    expect(reply?.to).toEqual([MIA]);
    expect(reply?.email.text).not.toContain('Can you help her');
    expect(await offer()).toBeNull();
    await expect(screens.claims.undoOffer({ conversationId: id })).rejects.toThrow('has changed');
    dns.answers.set('kunde.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    const answer = {
      From: MIA,
      'Message-ID': '<a@kunde.test>',
      'In-Reply-To': reply?.email.messageId ?? '',
    };
    await inbox.bring(rawMail(answer, 'Thanks'), { from: MIA });
    expect(await inbox.newest()).toMatchObject({ conversationId: id, content: 'Thanks', authorName: null });
    expect(await db().contact.count({ where: { workspaceId, claimedEmail: MIA } })).toBe(1);
  });

  test('can be undone until somebody writes, and is one contact after clicks at the same time', async ({
    inbox,
    teammates: { agent, workspaceId },
  }) => {
    await inbox.bring(forward(agent.email, { 'Reply-To': 'aggie@home.test' }));
    const { id, screens, offer } = await opened(inbox, agent);
    const before = await stateOf(id);
    expect(before).toMatchObject({ replyTo: ['aggie@home.test'], usesReplyTo: true });
    const which = { conversationId: id };
    for (const _ of ['first', 'again']) {
      await Promise.all([1, 2, 3].map(() => screens.claims.acceptOffer(which)));
      expect(await stateOf(id)).toMatchObject({ contactClaimed: true, replyTo: [], usesReplyTo: false });
      const undone = await Promise.allSettled([1, 2].map(() => screens.claims.undoOffer(which)));
      expect(undone.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await stateOf(id)).toEqual(before);
    }
    const entries = await db().timelineEntry.findMany({
      where: { ...which, kind: { startsWith: 'contact_set' } },
      select: { kind: true },
      orderBy: { createdAt: 'asc' },
    });
    const each = ['contact_set', 'contact_set_undone'];
    expect(entries.map(({ kind }) => kind)).toEqual([...each, ...each]);
    expect(await db().contact.count({ where: { workspaceId, claimedEmail: MIA } })).toBe(1);
    await screens.claims.dismissOffer(which);
    expect(await offer()).toBeNull();
    await expect(screens.claims.acceptOffer(which)).rejects.toThrow('has changed');
  });

  test.for([
    ['that waits is not sent, and its author is notified', 'pending'],
    ['that a mail server refused for now is sent to the earlier contact', 'queued'],
  ] as const)(
    'accepted: a reply %s',
    async ([, state], { mail, inbox, teammates: { agent, owner, workspaceId } }) => {
      await inbox.bring(forward(agent.email));
      const { id: conversationId } = await opened(inbox, agent);
      const id = randomUUID();
      const reply = { workspaceId, conversationId, id, author: agent, content: 'Who is it?' };
      await scheduleReply(
        state === 'pending' ? { ...reply, sendAt: new Date(Date.now() + 3_600_000) } : reply,
      );
      if (state === 'queued') await sendPendingReply(id);
      const screens = await (await signInTeammate(owner))();
      await screens.claims.acceptOffer({ conversationId });
      if (state === 'pending') await sendPendingReply(id);
      else await sendQueuedMessage(id);
      expect(mail.received.map(({ to }) => to)).toEqual(state === 'pending' ? [] : [[agent.email]]);
      const problem = expect.stringContaining('was changed after it was written');
      const held = state === 'pending' ? [{ id, problem, sendsLater: false }] : [];
      expect(await db().pendingReply.findMany({ where: { conversationId } })).toMatchObject(held);
      const notified = { userId: agent.id, kind: 'reply_not_sent' } as const;
      expect(await db().notification.count({ where: notified })).toBe(held.length);
    },
  );

  test.for(['failed', 'sent', 'held_for_paywall'] as const)(
    'accepted: a reply to the earlier contact that was %s before is sent again to the earlier contact',
    async (sendStatus, { mail, inbox, teammates: { agent, workspaceId } }) => {
      await inbox.bring(forward(agent.email));
      const { id: conversationId, screens } = await opened(inbox, agent);
      const { id: messageId } = await inbox.reply(conversationId, 'Who is it?');
      const setStatus = (status: typeof sendStatus) =>
        db().message.update({ where: { id: messageId }, data: { sendStatus: status } });
      await setStatus(sendStatus);
      await screens.claims.acceptOffer({ conversationId });
      // A report can arrive later.
      if (sendStatus === 'sent') await setStatus('failed');
      await resendMessage({ workspaceId, conversationId, messageId, by: agent });
      await sendQueuedMessage(messageId);
      expect(mail.received.map(({ to }) => to)).toEqual([[agent.email], [agent.email]]);
    },
  );

  test('is for agents of the workspace, and a second forward uses the same contact', async ({
    inbox,
    teammates: { agent, viewer, workspaceId },
  }) => {
    for (const n of [1, 2]) {
      await inbox.bring(forward(agent.email, { 'Message-ID': `<fw${n}@acme.test>` }));
      const { id, screens } = await opened(inbox, agent);
      const viewing = await (await signInTeammate(viewer))();
      const which = { conversationId: id };
      const { acceptOffer, undoOffer, dismissOffer } = viewing.claims;
      for (const act of [acceptOffer, undoOffer, dismissOffer]) {
        await expect(act(which)).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
      }
      await screens.claims.acceptOffer(which);
    }
    const { teammate } = await makeConnection();
    const { id } = await opened(inbox, agent);
    const other = await (await signInTeammate(teammate))();
    await expect(other.claims.undoOffer({ conversationId: id })).rejects.toThrow('not');
    expect(await db().contact.count({ where: { workspaceId, claimedEmail: MIA } })).toBe(1);
  });

  test.for([
    ['a stranger writes such a block', 'ada@acme.test', BLOCK, 'ada@acme.test'],
    ['somebody writes it under a teammate’s address', 'agent', BLOCK, 'eve@evil.test'],
    ['a teammate forwards the email of a colleague', 'agent', BLOCK.replace(MIA, 'viewer'), 'ada@acme.test'],
    ['a teammate forwards an email of our own', 'agent', BLOCK.replace(MIA, 'mailbox'), 'ada@acme.test'],
    ['a teammate writes without such a block', 'agent', 'Hello', 'ada@acme.test'],
  ] as const)('is not made when %s', async ([, from, body, sender], { inbox, teammates, mailbox }) => {
    const own = { viewer: teammates.viewer.email, mailbox: mailbox.address };
    const text = body.replace(/<(viewer|mailbox)>/, (_, who: keyof typeof own) => `<${own[who]}>`);
    await inbox.bring(forward(from === 'agent' ? teammates.agent.email : from, {}, text), { from: sender });
    expect(await inbox.messages()).toHaveLength(1);
    const { id, screens, offer } = await opened(inbox, teammates.agent);
    expect(await offer()).toBeNull();
    const refused = screens.claims.acceptOffer({ conversationId: id });
    await expect(refused).rejects.toMatchObject({ cause: { refusal: 'not_found' } });
  });

  test('is also made when a rule of our mailbox forwards an email, and a redirected one is its author’s', async ({
    mail,
    inbox,
    mailbox,
    teammates: { agent },
  }) => {
    // As Exchange writes them.
    const rule = {
      'auto-submitted': 'auto-generated',
      'x-ms-exchange-generated-message-source': 'Mailbox Rules Agent',
      'X-MS-Exchange-Inbox-Rules-Loop': mailbox.address,
    };
    const redirected = { ...rule, 'Message-ID': '<r@acme.test>', 'Resent-From': mailbox.address };
    await inbox.bring(rawMail(redirected, 'Where is my parcel?'));
    expect(await inbox.newest()).toMatchObject({
      automatic: false,
      conversation: { contact: { email: 'ada@acme.test' } },
    });
    const block = `\r\n\r\nFrom: Mia Berg <${MIA}>\r\nSent: Friday, 27 November 2026 10:00\r\nTo: Support <${mailbox.address}>\r\nSubject: Order\r\n\r\nWhere is my parcel?`;
    await inbox.bring(forward(mailbox.address, { ...rule, Subject: 'FW: Order' }, block), {
      from: mailbox.address,
    });
    expect(await inbox.newest()).toMatchObject({ automatic: false });
    expect((await inbox.events()).filter((key) => key === 'message.received')).toHaveLength(2);
    const { id, screens, offer } = await opened(inbox, agent);
    expect(await offer()).toEqual({ kind: 'forward', email: MIA, isAccepted: false });
    await screens.claims.acceptOffer({ conversationId: id });
    await inbox.reply(id);
    expect(mail.received.at(-1)?.to).toEqual([MIA]);
  });

  test('of a form without Reply-To is the address in its row, and nobody’s if the form is not listed', async ({
    mail,
    inbox,
    teammates: { agent, admin },
  }) => {
    const submit = (n: number) =>
      inbox.bring(
        rawMail({ 'Message-ID': `<f${n}@acme.test>` }, 'Name: Nora\r\nE-Mail-Adresse: nora@winter.test'),
      );
    await submit(1);
    expect(await (await opened(inbox, agent)).offer()).toBeNull();
    await (await (await signInTeammate(admin))()).channels.addForm({ address: 'ada@acme.test' });
    await submit(2);
    const { id, screens, read, offer } = await opened(inbox, agent);
    expect(await offer()).toEqual({ kind: 'form', email: 'nora@winter.test', isAccepted: false });
    expect((await read())?.contact?.email).toBe('ada@acme.test');
    await screens.claims.acceptOffer({ conversationId: id });
    await inbox.reply(id);
    expect(mail.received.at(-1)?.to).toEqual(['nora@winter.test']);
    expect(mail.received.at(-1)?.email.text).not.toContain('E-Mail-Adresse');
  });
});
