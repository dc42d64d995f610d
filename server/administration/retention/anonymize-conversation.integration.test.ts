import { describe, expect } from 'vitest';
import { applyRetention } from '#server/administration/retention/apply-retention.ts';
import { formattedText } from '#server/contract/formatted-text.ts';
import { db } from '#server/core/database/prisma.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { rowsWithText } from '#test/database/rows-with-text.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { storeFieldValues } from '#test/fixtures/field-rows.ts';
import { makeOld, test } from '#test/fixtures/retention-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const ADA = 'ada@acme.test';

describe('a rule that anonymizes', () => {
  test('leaves none of the names, addresses and words of a conversation anywhere but in the contact, and the numbers as they were', async ({
    teammates: { workspaceId, agent },
    conversationId,
    inbox,
    rule,
    entries,
  }) => {
    await makeHook(await makeConnection({ workspaceId }), { event: 'message.received' });
    await inbox.bring(rawMail({ Subject: 'Lovelace again' }, 'A secret of Ada Lovelace'));
    const { id: messageId } = await inbox.reply(conversationId, 'Dear Ada Lovelace');
    await fillWithText({ workspaceId, conversationId, messageId, userId: agent.id });
    await storeFieldValues({ workspaceId, subject: 'conversation', ownerId: conversationId }, 'A secret');
    const before = await readNumbers(workspaceId);
    await makeOld(workspaceId, 40);
    await db()
      .$executeRaw`update inbound_updates set received_at = now() - interval '40 days' where workspace_id = ${workspaceId}::uuid`;
    await rule({ conversationDays: 30, anonymizes: true });
    expect(await applyRetention()).toBe(1);
    await db().inboundUpdate.deleteMany({ where: { workspaceId } });
    await removeExpiredFiles();
    const ofContact = [
      'contacts.first_name',
      'contacts.last_name',
      'contacts.search',
      'events.actor',
      'events.body',
    ];
    const left = [...new Set([...(await rowsWithText('lovelace')), ...(await rowsWithText('secret'))])];
    expect(left.filter((column) => !ofContact.includes(column))).toEqual([]);
    expect((await rowsWithText(ADA)).toSorted()).toEqual([
      'contacts.email',
      'events.body',
      'rate_limits.key',
    ]);
    // Events of the contact itself remain, as the contact does.
    const events = await db().event.findMany({ where: { workspaceId } });
    expect(events.map(({ key }) => key).filter((key) => !key.startsWith('contact.'))).toEqual([]);
    expect(await db().storedFile.count({ where: { workspaceId } })).toBe(0);
    expect(await readNumbers(workspaceId)).toEqual(before);
    expect(await db().conversation.findMany({ where: { workspaceId } })).toMatchObject([
      { contactId: null, subject: null },
      { contactId: null, subject: null },
    ]);
    expect(await entries()).toEqual([{ anonymized: '2' }]);
    expect(await db().conversationFieldValue.findMany({ where: { workspaceId } })).toMatchObject([
      { choiceId: expect.any(String) },
    ]);
    expect(await applyRetention()).toBe(0);
  });

  test('starts another conversation for a message that answers it', async ({
    teammates: { workspaceId },
    conversationId,
    inbox,
    rule,
  }) => {
    const [first] = await inbox.messages();
    await makeOld(workspaceId, 40);
    await rule({ conversationDays: 30, anonymizes: true });
    await applyRetention();
    await inbox.bring(
      rawMail({ 'In-Reply-To': first?.externalId ?? '', Subject: 'Re: A question' }, 'Thanks'),
    );
    const messages = await inbox.messages();
    expect(messages.map(({ content }) => content)).toEqual(['(anonymized)', 'Thanks']);
    expect(messages[1]?.conversationId).not.toBe(conversationId);
    expect(messages[1]?.conversation.contact).toMatchObject({ email: ADA });
  });
});

/** Gives a conversation the text in every table that can hold what a person wrote. */
async function fillWithText(at: {
  workspaceId: string;
  conversationId: string;
  messageId: string;
  userId: string;
}): Promise<void> {
  const { workspaceId, conversationId, messageId, userId } = at;
  const own = { workspaceId, conversationId };
  const formatted = formattedText('Lovelace, a secret');
  await db().message.update({ where: { id: messageId }, data: { formatted } });
  await db().note.create({
    data: {
      ...own,
      authorKind: 'teammate',
      content: 'Lovelace likes tea',
      formatted,
      version: 1,
      versions: { create: { number: 0, content: 'Lovelace likes coffee', formatted, writtenAt: new Date() } },
    },
  });
  await db().reaction.create({
    data: { workspaceId, messageId, author: ADA, authorName: 'Lovelace', emoji: '👍' },
  });
  await db().messagePart.create({
    data: { workspaceId, messageId, externalId: 'lovelace-1', content: 'Lovelace' },
  });
  await db().rating.create({
    data: { ...own, solvedConversationId: conversationId, score: 4, comment: 'Lovelace is content' },
  });
  await db().commandRun.create({
    data: {
      ...own,
      operatorId: userId,
      operatorName: 'Carla',
      operatorEmail: 'carla@desk.test',
      command: 'refund',
      arguments: 'for Lovelace',
    },
  });
  await db().suggestedReply.create({
    data: {
      ...own,
      id: messageId,
      tokenId: userId,
      programName: 'Bot',
      content: 'Lovelace',
      reason: 'Lovelace',
    },
  });
  const attachments = [await storeBytes(workspaceId, { name: 'Lovelace.txt', content: 'Lovelace' })];
  await db().replyDraft.create({
    data: { ...own, version: 1, isEmpty: false, content: 'Dear Lovelace', attachments },
  });
  await db().contactOffer.create({ data: { ...own, kind: 'forward', email: ADA, lastName: 'Lovelace' } });
  await db().notification.create({
    data: { ...own, userId, kind: 'new_message', data: { contactName: 'Ada Lovelace' } },
  });
  const entry = { ...own, actorKind: 'contact', actorName: 'Ada Lovelace' } as const;
  await db().timelineEntry.createMany({
    data: [
      { ...entry, kind: 'introduced', data: { name: 'Lovelace', email: ADA } },
      { ...entry, kind: 'rated', data: { score: 4, comment: 'Lovelace is content' } },
    ],
  });
  await db().message.update({
    where: { id: messageId },
    data: {
      cc: [ADA],
      bcc: [ADA],
      mailTo: [ADA],
      template: { values: ['Lovelace'] },
      context: { of: 'Lovelace' },
      invitation: { of: 'Lovelace' },
      providerIds: ['lovelace-2'],
      html: '<p>Lovelace</p>',
      trimmed: true,
      fullContent: 'Lovelace',
    },
  });
  await db().conversation.update({
    where: { id: conversationId },
    data: { replyTo: [ADA], usesReplyTo: true, externalThreadId: 'lovelace-thread' },
  });
}

/** Numbers that reports are made of. */
async function readNumbers(workspaceId: string): Promise<unknown> {
  const [messages, ratings, notes, conversations] = await Promise.all([
    db().message.groupBy({
      by: ['direction', 'authorKind', 'authorId'],
      where: { workspaceId },
      _count: true,
      orderBy: { direction: 'asc' },
    }),
    db().rating.findMany({ where: { workspaceId }, select: { score: true, createdAt: true } }),
    db().note.count({ where: { workspaceId } }),
    db().conversation.findMany({
      where: { workspaceId },
      select: { id: true, channel: true, assigneeId: true, teamId: true, createdAt: true },
      orderBy: { id: 'asc' },
    }),
  ]);
  return { messages, ratings, notes, conversations };
}
