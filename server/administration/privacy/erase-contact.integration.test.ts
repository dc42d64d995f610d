import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { beginErasure } from '#server/administration/privacy/begin-erasure.ts';
import { eraseDueContacts } from '#server/administration/privacy/erase-contact.ts';
import { previewErasure } from '#server/administration/privacy/preview-erasure.ts';
import { requestErasure, stopErasure } from '#server/administration/privacy/request-erasure.ts';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { testAgent } from '#server/inbox/ai-agent/test-agent.ts';
import { block, unblock } from '#server/inbox/blocked-senders/block-sender.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { rowsWithText } from '#test/database/rows-with-text.ts';
import { makeContact } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { storeFieldValues } from '#test/fixtures/field-rows.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const ADA = 'ada@acme.test';
const BOB = 'bob@acme.test';

const test = mailTest
  .extend('ada', async ({ inbox }) => {
    const { conversationId, conversation } = await inbox.first();
    const { contactId } = conversation;
    if (contactId === null) throw new Error('The mail has no contact.');
    return { conversationId, contactId };
  })
  .extend('schedule', ({ teammates: { workspaceId, owner } }) => {
    return (contactId: string) =>
      requestErasure({ workspaceId, contactId, typed: 'Ada Lovelace', by: owner });
  })
  .extend('erase', ({ schedule }) => async (contactId: string) => {
    await schedule(contactId);
    await beDue(contactId);
    return eraseDueContacts();
  });

describe('erasing a contact', () => {
  test('leaves none of their names, addresses and words anywhere in the database, and a receipt without them', async ({
    teammates: { workspaceId, owner, agent },
    ada: { conversationId, contactId },
    inbox,
    erase,
  }) => {
    await makeHook(await makeConnection({ workspaceId }), { event: 'message.received' });
    await inbox.bring(rawMail({ Subject: 'Lovelace again' }, 'A secret of Ada Lovelace'));
    const message = await inbox.reply(conversationId, 'Dear Ada Lovelace');
    const at = { workspaceId, conversationId };
    const { id: fileId } = await storeBytes(workspaceId, { name: 'Lovelace.txt', content: 'Lovelace' });
    const file = { id: fileId, fileId, name: 'Lovelace.txt', contentType: 'text/plain', sizeBytes: 8 };
    await db().note.create({
      data: {
        ...at,
        authorKind: 'teammate',
        content: 'Lovelace likes tea',
        files: { create: { ...file, workspaceId, position: 0 } },
      },
    });
    const unsent = async () => [await storeBytes(workspaceId, { name: 'Lovelace.txt', content: 'Lovelace' })];
    await db().pendingReply.create({
      data: {
        ...at,
        authorId: agent.id,
        content: 'Dear Lovelace',
        sendAt: new Date(),
        attachments: await unsent(),
      },
    });
    await db().replyDraft.create({
      data: { ...at, version: 1, isEmpty: false, content: 'To Lovelace', attachments: await unsent() },
    });
    const preview = await previewErasure(db(), { workspaceId, contactId });
    await db().contactIdentity.create({
      data: { workspaceId, contactId, channel: 'telegram', externalId: '4815162342', name: 'Lovelace' },
    });
    await db().reaction.create({
      data: { workspaceId, messageId: message.id, author: ADA, authorName: 'Lovelace', emoji: '👍' },
    });
    await storeFieldValues({ workspaceId, subject: 'contact', ownerId: contactId }, 'Lady Lovelace');
    await storeFieldValues({ workspaceId, subject: 'conversation', ownerId: conversationId }, 'Of Lovelace');
    const merged = await db().contact.create({ data: { workspaceId, firstName: 'Countess Lovelace' } });
    await mergeContacts({ workspaceId, id: merged.id, intoId: contactId, actor: by(owner) });
    await db().auditEntry.create({ data: { workspaceId, kind: 'sender_blocked', data: { sender: ADA } } });
    const other = await db().conversation.create({ data: { workspaceId, channel: 'email' } });
    const inCopy = {
      workspaceId,
      conversationId: other.id,
      direction: 'inbound',
      authorKind: 'contact',
    } as const;
    const copied = randomUUID();
    await db().message.createMany({
      data: [
        { ...inCopy, id: copied, content: 'Lovelace in copy', authorAddress: ADA },
        { ...inCopy, content: 'Bob asks', authorAddress: 'bob@acme.test', cc: [ADA, 'cid@acme.test'] },
      ],
    });
    const outbound = { ...inCopy, direction: 'outbound', authorKind: 'teammate' } as const;
    const refused = `550 5.1.1 <${ADA}>: unknown`;
    const answer = await db().message.create({
      data: { ...outbound, content: 'To Bob, with a copy', cc: [ADA], deliveryError: refused },
    });
    const named = { workspaceId, conversationId: other.id };
    await db().timelineEntry.create({
      data: {
        ...named,
        actorKind: 'automatic',
        kind: 'delivery_reported',
        data: { email: ADA, state: 'failed' },
      },
    });
    const failed = { messageId: answer.id, why: refused, isYours: true, byName: null };
    await db().notification.create({
      data: { ...named, userId: agent.id, kind: 'message_failed', data: failed },
    });
    const wrote = { messageId: copied, authorName: 'Lovelace' };
    await db().notification.create({
      data: { ...named, userId: agent.id, kind: 'contact_wrote', data: wrote },
    });
    expect(await rowsWithText('lovelace')).not.toEqual([]);
    expect(await erase(contactId)).toBe(1);
    await removeExpiredFiles();
    expect(await rowsWithText('lovelace')).toEqual([]);
    // The limits of mail expire within the hour.
    expect(await rowsWithText(ADA)).toEqual(['rate_limits.key']);
    expect(await rowsWithText('4815162342')).toEqual([]);
    expect(await db().storedFile.count({ where: { workspaceId } })).toBe(0);
    expect(await db().delivery.count({ where: { workspaceId } })).toBe(0);
    expect(await inbox.messages()).toMatchObject([
      { content: 'Bob asks', cc: ['cid@acme.test'] },
      { content: 'To Bob, with a copy', cc: [], deliveryError: expect.stringContaining('has been erased') },
    ]);
    const receipt = await db().auditEntry.findFirst({ where: { workspaceId, kind: 'contact_erased' } });
    expect(receipt).toMatchObject({ userId: owner.id, userName: owner.name });
    expect(receipt?.data).toMatchObject({ conversations: '2', messages: '3', elsewhere: '1', mentions: '2' });
    // A file of the note, of the draft and of the waiting reply, and two original emails.
    expect(preview.files).toEqual({ count: 5, more: false });
  });

  test('keeps what others wrote in the same conversation readable, without the address of the contact', async ({
    teammates: { workspaceId },
    ada: { conversationId, contactId },
    inbox,
    erase,
  }) => {
    const bob = await db().contact.create({ data: { workspaceId, email: 'bob@acme.test' } });
    const at = { workspaceId, conversationId } as const;
    await db().message.createMany({
      data: [
        {
          ...at,
          direction: 'inbound',
          authorKind: 'contact',
          content: 'Bob adds',
          authorAddress: 'bob@acme.test',
          html: '<p>Bob adds</p><blockquote>Hello</blockquote>',
          mailTo: ['desk@acme.test', ADA],
        },
        {
          ...at,
          direction: 'outbound',
          authorKind: 'teammate',
          content: 'To both',
          cc: ['bob@acme.test', ADA],
        },
        { ...at, direction: 'outbound', authorKind: 'teammate', content: 'To Ada' },
        { ...at, direction: 'forward', authorKind: 'teammate', content: 'Fwd', mailTo: ['c@acme.test'] },
      ],
    });
    await storeFieldValues({ workspaceId, subject: 'conversation', ownerId: conversationId }, 'Ada is angry');
    await erase(contactId);
    // A choice is a word of the workspace.
    const values = await db().conversationFieldValue.findMany({ where: { conversationId } });
    expect(values).toMatchObject([{ text: null, choiceId: expect.any(String) }]);
    const messages = await inbox.messages();
    expect(messages.map(({ content, html, mailTo, cc }) => ({ content, html, mailTo, cc }))).toEqual([
      { content: 'Bob adds', html: null, mailTo: ['desk@acme.test'], cc: [] },
      { content: 'To both', html: null, mailTo: [], cc: ['bob@acme.test'] },
    ]);
    expect(await db().conversation.findUniqueOrThrow({ where: { id: conversationId } })).toMatchObject({
      contactId: bob.id,
      subject: null,
      removal: null,
    });
  });

  test('gives a conversation to the other person in it, also under an address that they have by a merge', async ({
    teammates: { workspaceId, owner },
    ada: { conversationId, contactId },
    erase,
  }) => {
    const old = await db().contact.create({ data: { workspaceId, email: BOB } });
    const bob = await db().contact.create({ data: { workspaceId, email: 'bob@new.test' } });
    await mergeContacts({ workspaceId, id: old.id, intoId: bob.id, actor: by(owner) });
    const inbound = { workspaceId, conversationId, direction: 'inbound', authorKind: 'contact' } as const;
    await db().message.create({ data: { ...inbound, content: 'Bob adds', authorAddress: BOB } });
    await erase(contactId);
    expect(await db().conversation.findUniqueOrThrow({ where: { id: conversationId } })).toMatchObject({
      contactId: bob.id,
    });
  });

  test('gives mail that arrives afterwards to a new contact', async ({ ada, inbox, erase }) => {
    const [first] = await inbox.messages();
    await erase(ada.contactId);
    await inbox.bring(rawMail({ 'In-Reply-To': first?.externalId ?? '', Subject: 'Re: A question' }));
    const [message] = await inbox.messages();
    expect(message?.conversation.contact).toMatchObject({ email: ADA });
    expect(message?.conversation.contactId).not.toBe(ada.contactId);
    expect(message?.conversationId).not.toBe(ada.conversationId);
  });

  test('leaves what arrives while it runs to the new contact, and what was written to others in shared conversations', async ({
    teammates: { workspaceId, agent },
    ada: { conversationId, contactId },
    inbox,
    schedule,
  }) => {
    const bob = await db().contact.create({ data: { workspaceId, email: BOB } });
    const at = { workspaceId, conversationId } as const;
    const inbound = { ...at, direction: 'inbound', authorKind: 'contact' } as const;
    await db().message.create({ data: { ...inbound, content: 'Bob adds', authorAddress: BOB } });
    const pending = { ...at, authorId: agent.id, content: 'Later', sendAt: new Date(Date.now() + 60_000) };
    const draft = { workspaceId, version: 1, isEmpty: false, createdAt: new Date(Date.now() - 60_000) };
    const other = await db().conversation.create({ data: { workspaceId, channel: 'email' } });
    const files = await Promise.all([1, 2, 3].map(() => storeBytes(workspaceId)));
    await db().replyDraft.createMany({
      data: [
        { ...draft, conversationId, content: 'About Ada', attachments: files.slice(0, 1) },
        { ...draft, conversationId: other.id, content: 'To Bob', cc: [ADA, BOB], answers: ADA },
      ],
    });
    await db().pendingReply.createMany({
      data: [
        { ...pending, content: 'To the contact' },
        { ...pending, content: 'To Ada', mailTo: [ADA], attachments: files.slice(1, 2) },
        { ...pending, content: 'To both', mailTo: [BOB], cc: [ADA], attachments: files.slice(2, 3) },
      ],
    });
    await schedule(contactId);
    await beDue(contactId);
    await beginErasure(contactId);
    await inbox.bring(rawMail({ Subject: 'Hello again' }, 'I am back'));
    await db().message.createMany({
      data: [
        { ...inbound, content: 'Bob again', authorAddress: BOB, html: '<p>Bob again</p>', cc: [ADA] },
        { ...at, direction: 'outbound', authorKind: 'teammate', content: 'To Bob' },
      ],
    });
    await db().note.create({ data: { ...at, authorKind: 'teammate', content: 'About Bob' } });
    await db().pendingReply.create({ data: { ...pending, content: 'To Bob later' } });
    await db().auditEntry.create({ data: { workspaceId, kind: 'sender_blocked', data: { sender: ADA } } });
    const update = { workspaceId, channel: 'telegram', externalId: 'newer' } as const;
    const body = Buffer.from(`{"from":"${ADA}"}`);
    await db().inboundUpdate.create({ data: { ...update, body, processedAt: new Date() } });
    expect(await eraseDueContacts()).toBe(1);
    const messages = await inbox.messages();
    expect(messages.map(({ content, html, cc }) => ({ content, html, cc }))).toEqual([
      { content: 'Bob adds', html: null, cc: [] },
      { content: 'I am back', html: messages[1]?.html, cc: [] },
      { content: 'Bob again', html: '<p>Bob again</p>', cc: [ADA] },
      { content: 'To Bob', html: null, cc: [] },
    ]);
    expect(messages[1]).toMatchObject({ authorAddress: ADA, conversation: { contact: { email: ADA } } });
    const bodies = await db().event.findMany({ where: { workspaceId }, select: { body: true } });
    expect(bodies.filter(({ body }) => body.includes(ADA))).not.toEqual([]);
    expect(bodies.filter(({ body }) => body.includes(contactId))).toEqual([]);
    expect(await db().inboundUpdate.count({ where: update })).toBe(1);
    expect(await db().note.findMany({ where: at })).toMatchObject([{ content: 'About Bob' }]);
    expect(await db().auditEntry.findFirst({ where: { workspaceId, kind: 'sender_blocked' } })).toMatchObject(
      { data: { sender: ADA } },
    );
    expect(await db().pendingReply.findMany({ where: at, orderBy: { createdAt: 'asc' } })).toMatchObject([
      { content: 'To both', mailTo: [BOB], cc: [], problem: expect.stringContaining('erased') },
      { content: 'To Bob later', problem: null },
    ]);
    expect(await db().replyDraft.findMany({ where: { workspaceId } })).toMatchObject([
      { content: 'To Bob', cc: [BOB], answers: null },
    ]);
    expect((await db().conversation.findUniqueOrThrow({ where: { id: conversationId } })).contactId).toBe(
      bob.id,
    );
    const expired = { id: { in: files.map(({ id }) => id) }, expiresAt: { lt: new Date() } };
    const found = await db().storedFile.findMany({ where: expired, select: { id: true } });
    expect(found.map(({ id }) => id).toSorted()).toEqual([files[0]?.id, files[1]?.id].toSorted());
  });

  test('holds replies that wait in conversations of others and name the contact, and drops those that only the contact would get', async ({
    teammates: { workspaceId, agent },
    ada: { contactId },
    erase,
  }) => {
    const { id: conversationId } = await db().conversation.create({
      data: { workspaceId, channel: 'email' },
    });
    const files = [await storeBytes(workspaceId), await storeBytes(workspaceId)];
    const later = new Date(Date.now() + 86_400_000);
    const pending = { workspaceId, conversationId, authorId: agent.id, content: 'Later', sendAt: later };
    await db().pendingReply.createMany({
      data: [
        { ...pending, content: 'To Bob' },
        { ...pending, content: 'To Bob, with a copy', bcc: [ADA], cc: [BOB], attachments: files.slice(0, 1) },
        { ...pending, content: 'To the contact, with a copy', cc: [ADA] },
        { ...pending, content: 'To Ada', mailTo: [ADA], attachments: files.slice(1) },
      ],
    });
    await db().replyDraft.create({
      data: {
        workspaceId,
        conversationId,
        version: 1,
        isEmpty: false,
        content: 'x',
        cc: ['Ada@Acme.test'],
        answers: BOB,
      },
    });
    await erase(contactId);
    const held = { mailTo: [], bcc: [], problem: expect.stringContaining('erased') };
    expect(
      await db().pendingReply.findMany({ orderBy: { content: 'asc' }, where: { workspaceId } }),
    ).toMatchObject([
      { content: 'To Bob', problem: null },
      { content: 'To Bob, with a copy', cc: [BOB], ...held },
      { content: 'To the contact, with a copy', cc: [], ...held },
    ]);
    const expired = { id: { in: files.map(({ id }) => id) }, expiresAt: { lt: new Date() } };
    expect(await db().storedFile.findMany({ where: expired, select: { id: true } })).toEqual([
      { id: files[1]?.id },
    ]);
    // The author whom the draft answers stays.
    expect(await db().replyDraft.findFirst({ where: { conversationId } })).toMatchObject({
      cc: [],
      answers: BOB,
    });
  });

  test('counts the author of the first message of a conversation as the contact only there, and never another contact', async ({
    teammates: { workspaceId },
    ada: { conversationId, contactId },
    inbox,
    erase,
  }) => {
    await db().contact.create({ data: { workspaceId, email: BOB } });
    const [bobsFirst, oldAddress] = await Promise.all(
      ['email', 'email'].map(() =>
        db().conversation.create({ data: { workspaceId, contactId, channel: 'email' } }),
      ),
    );
    const write = (id: string | undefined, content: string, authorAddress: string) =>
      db().message.create({
        data: {
          workspaceId,
          conversationId: id ?? '',
          direction: 'inbound',
          authorKind: 'contact',
          content,
          authorAddress,
        },
      });
    await write(conversationId, 'Bob in the first', BOB);
    await write(conversationId, 'Another', 'ada@old.test');
    await write(bobsFirst?.id, 'Bob began this', BOB);
    await write(bobsFirst?.id, 'Ada answers', ADA);
    await write(oldAddress?.id, 'Ada before', 'ada@old.test');
    await write(oldAddress?.id, 'Bob answers', BOB);
    await erase(contactId);
    expect((await inbox.messages()).map(({ content }) => content)).toEqual([
      'Bob in the first',
      'Another',
      'Bob began this',
      'Bob answers',
    ]);
  });

  test('leaves people on chat channels blocked, without their names on the block list and in the audit log', async ({
    teammates: { workspaceId, owner },
    ada: { contactId },
    erase,
  }) => {
    const identity = { workspaceId, contactId, channel: 'telegram', scope: 'bot', externalId: '42' } as const;
    await db().contactIdentity.create({ data: identity });
    await db().conversation.create({
      data: {
        workspaceId,
        contactId,
        channel: 'webchat',
        messages: {
          create: { direction: 'inbound', authorKind: 'contact', content: 'Hi', externalId: 'webchat:tag:1' },
        },
      },
    });
    const senders = [
      { kind: 'chat', value: 'telegram:bot:42', label: 'Ada Lovelace (Telegram)' },
      { kind: 'chat', value: 'webchat:tag', label: 'Ada Lovelace (Web chat)' },
      { kind: 'chat', value: 'telegram:bot:43', label: 'Bob (Telegram)' },
    ] as const;
    const blocked = await inTransaction((tx) => block(tx, { workspaceId, senders, by: owner }));
    await unblock({ workspaceId, id: blocked[1] ?? '', by: owner });
    await inTransaction((tx) => block(tx, { workspaceId, senders: senders.slice(1, 2), by: owner }));
    const earlier = { sender: 'Ada Lovelace (Telegram)' };
    await db().auditEntry.create({ data: { workspaceId, kind: 'sender_blocked', data: earlier } });
    await erase(contactId);
    const labels = await db().blockedSender.findMany({ where: { workspaceId }, orderBy: { value: 'asc' } });
    expect(labels.map(({ value, label }) => [value, label])).toEqual([
      ['telegram:bot:42', null],
      ['telegram:bot:43', 'Bob (Telegram)'],
      ['webchat:tag', null],
    ]);
    const entries = await db().auditEntry.findMany({
      where: { workspaceId, kind: { startsWith: 'sender_' } },
    });
    expect(entries.map(({ data }) => JSON.stringify(data)).toSorted()).toEqual(
      [
        '{"value":"telegram:bot:43","sender":"Bob (Telegram)"}',
        ...Array.from({ length: 5 }, () => '{"sender":"(erased)"}'),
      ].toSorted(),
    );
  });

  test('does not show a conversation as a test of the AI agent while it is erased', async ({
    teammates: { workspaceId },
    ada: { conversationId, contactId },
    schedule,
  }) => {
    await schedule(contactId);
    await beDue(contactId);
    await beginErasure(contactId);
    const continued = testAgent(exampleAgent, { workspaceId, conversationId, content: 'Hello' });
    await expect(continued).rejects.toThrow('not found');
  });

  test('continues where a worker stopped, and two workers erase once', async ({
    teammates: { workspaceId },
    ada: { conversationId, contactId },
    schedule,
  }) => {
    const message = { workspaceId, conversationId, direction: 'inbound', authorKind: 'contact' } as const;
    await db().message.createMany({
      data: Array.from({ length: 1_200 }, (_, n) => ({ ...message, content: `More ${n}` })),
    });
    await schedule(contactId);
    await beDue(contactId);
    let runs = 0;
    for (; runs < 60 && (await db().contactErasure.count({ where: { workspaceId } })) > 0; runs += 1)
      await Promise.all([eraseDueContacts({ timeLimitMs: 1 }), eraseDueContacts({ timeLimitMs: 1 })]);
    expect(runs).toBeGreaterThan(1);
    const receipts = await db().auditEntry.findMany({ where: { workspaceId, kind: 'contact_erased' } });
    expect(receipts.map(({ data }) => data)).toMatchObject([{ conversations: '1', messages: '1201' }]);
    expect(await db().contact.count({ where: { workspaceId } })).toBe(0);
  });

  test('reads many events and updates of others in batches, once each, after messages and files are gone', async ({
    teammates: { workspaceId },
    ada: { contactId },
    inbox,
    schedule,
  }) => {
    const others = { workspaceId, key: 'message.received', body: '{"conversation":{"id":"other"}}' };
    await db().$executeRaw`
      insert into events (id, workspace_id, key, body, log_position)
      select gen_random_uuid(), ${workspaceId}::uuid, 'message.received', ${others.body}, n from generate_series(1, 2500) n`;
    await db().event.create({ data: { ...others, body: `{"contact":{"email":"${ADA}"}}` } });
    await schedule(contactId);
    await beDue(contactId);
    const readTo: (bigint | null | undefined)[] = [];
    for (let runs = 0; runs < 60; runs += 1) {
      await eraseDueContacts({ timeLimitMs: 1 });
      const erasure = await db().contactErasure.findFirst({ where: { workspaceId } });
      if (!erasure) break;
      if (erasure.eventsReadTo !== null) expect(await inbox.messages()).toEqual([]);
      readTo.push(erasure.eventsReadTo);
    }
    expect(readTo).toEqual(expect.arrayContaining([1000n, 2000n]));
    expect(await db().event.count({ where: { workspaceId } })).toBe(2500);
    expect(await db().contactErasure.count({ where: { workspaceId } })).toBe(0);
  });

  test('a reply that is being sent goes with the conversation, and its outcome changes nothing', async ({
    ada: { conversationId, contactId },
    inbox,
    erase,
  }) => {
    const { id } = await inbox.reply(conversationId);
    await db().message.update({ where: { id }, data: { sendStatus: 'sending', sendStartedAt: new Date() } });
    await erase(contactId);
    expect(await recordOutcome(id, { status: 'sent', externalId: null })).toBe(false);
    expect(await inbox.messages()).toEqual([]);
  });
});

describe('a scheduled erasure', () => {
  test('waits a day, and an admin stops it in the last hour', async ({
    teammates: { workspaceId, admin },
    ada: { contactId },
    schedule,
    inbox,
  }) => {
    await schedule(contactId);
    await db().contactErasure.update({
      where: { contactId },
      data: { dueAt: new Date(Date.now() + 3_600_000) },
    });
    expect(await eraseDueContacts()).toBe(0);
    await stopErasure({ workspaceId, contactId, by: admin });
    await stopErasure({ workspaceId, contactId, by: admin });
    expect(await eraseDueContacts()).toBe(0);
    expect(await inbox.messages()).toHaveLength(1);
    const kinds = await auditKinds(workspaceId);
    expect(kinds).toEqual(['contact_erasure_scheduled', 'contact_erasure_stopped']);
  });

  test('is stopped or runs, never both', async ({
    teammates: { workspaceId, owner },
    ada: { contactId },
    schedule,
  }) => {
    await schedule(contactId);
    await beDue(contactId);
    const [erased, stopped] = await Promise.all([
      eraseDueContacts(),
      stopErasure({ workspaceId, contactId, by: owner }).then(
        () => true,
        () => false,
      ),
    ]);
    expect(erased).toBe(stopped ? 0 : 1);
    expect(await db().contact.count({ where: { workspaceId, id: contactId } })).toBe(stopped ? 1 : 0);
  });

  test('of two admins is scheduled once, and blocks a merge', async ({
    teammates: { workspaceId, owner, admin },
    ada: { contactId },
  }) => {
    const request = { workspaceId, contactId, typed: 'Ada Lovelace' };
    await Promise.all([owner, admin].map((each) => requestErasure({ ...request, by: each })));
    expect(await auditKinds(workspaceId)).toEqual(['contact_erasure_scheduled']);
    const other = await db().contact.create({ data: { workspaceId, firstName: 'Bob' } });
    for (const [id, intoId] of [
      [contactId, other.id],
      [other.id, contactId],
    ] as const) {
      const merge = mergeContacts({ workspaceId, id, intoId, actor: by(owner) });
      await expect(merge).rejects.toThrow('will be erased');
    }
  });

  test.for([
    ['composed accents, for others in the name', { firstName: 'Jose\u0301', lastName: null }, 'José'],
    ['one space, for two in the name', { firstName: 'Ada', lastName: 'van  Gogh' }, 'Ada van Gogh'],
    ['the apostrophe of a keyboard', { firstName: 'Sean', lastName: 'O’Brien' }, "Sean O'Brien"],
    ['no invisible characters', { firstName: '\u200fدانا\u200f', lastName: null }, 'دانا'],
    [
      'the address as the page shows it',
      { firstName: null, lastName: null, email: 'ada@xn--mller-kva.example' },
      'ada@müller.example',
    ],
  ] as const)('accepts a name that is typed with %s', async ([, columns, typed], { teammates }) => {
    const { workspaceId, owner } = teammates;
    const { id: contactId } = await makeContact(workspaceId, columns);
    await requestErasure({ workspaceId, contactId, typed, by: owner });
    expect(await db().contactErasure.count({ where: { contactId } })).toBe(1);
  });

  test('an agent, a removed admin and one who mistypes the name cannot schedule or stop it', async ({
    teammates: { workspaceId, owner, agent },
    ada: { contactId },
    schedule,
  }) => {
    const former = await addTeammate(workspaceId, 'admin');
    await db().member.delete({ where: { workspaceId_userId: { workspaceId, userId: former.id } } });
    const which = { workspaceId, contactId };
    const typed = 'Ada Lovelace';
    await expect(requestErasure({ ...which, typed: 'Ada', by: owner })).rejects.toThrow('Ada Lovelace');
    for (const each of [agent, former]) {
      await expect(requestErasure({ ...which, typed, by: each })).rejects.toThrow('Only owners and admins');
    }
    await schedule(contactId);
    for (const each of [agent, former]) {
      await expect(stopErasure({ ...which, by: each })).rejects.toThrow('Only owners and admins');
    }
    expect(await db().contactErasure.count({ where: { contactId } })).toBe(1);
  });
});

function by(teammate: { id: string; name: string; email: string }) {
  return { kind: 'teammate', teammate } as const;
}

async function beDue(contactId: string): Promise<void> {
  await db().contactErasure.update({ where: { contactId }, data: { dueAt: new Date() } });
}

async function auditKinds(workspaceId: string): Promise<string[]> {
  const entries = await db().auditEntry.findMany({
    where: { workspaceId, kind: { startsWith: 'contact_' } },
    orderBy: { createdAt: 'asc' },
  });
  return entries.map(({ kind }) => kind);
}
