import { describe, expect } from 'vitest';
import { applyRetention } from '#server/administration/retention/apply-retention.ts';
import { previewRetention } from '#server/administration/retention/preview-retention.ts';
import {
  getRetention,
  type Retention,
  setRetention,
} from '#server/administration/retention/retention-rule.ts';
import { db } from '#server/core/database/prisma.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { rowsWithText } from '#test/database/rows-with-text.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const ADA = 'ada@acme.test';
const NOTHING: Retention = { conversationDays: null, anonymizes: false, fileDays: null, auditDays: null };

const test = mailTest
  .extend('conversationId', async ({ inbox }) => (await inbox.first()).conversationId)
  .extend('workspaceName', async ({ teammates: { workspaceId } }) => {
    const { name } = await db().workspace.findUniqueOrThrow({ where: { id: workspaceId } });
    return name;
  })
  /** Sets a rule that is past its first 24 hours. */
  .extend(
    'rule',
    ({ teammates: { workspaceId, owner }, workspaceName }) =>
      async (rule: Partial<Retention>) => {
        await setRetention({
          workspaceId,
          retention: { ...NOTHING, ...rule },
          typed: workspaceName,
          by: owner,
        });
        await db().retentionRule.update({ where: { workspaceId }, data: { startsAt: new Date() } });
      },
  )
  .extend('entries', ({ teammates: { workspaceId } }) => async () => {
    const where = { workspaceId, kind: 'retention_applied' };
    const entries = await db().auditEntry.findMany({ where, orderBy: { createdAt: 'asc' } });
    return entries.map(({ data }) => data);
  });

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

describe('a rule that deletes', () => {
  test('deletes conversations as a teammate does, and leaves those that are open, recent, restored, scheduled or to be erased', async ({
    teammates: { workspaceId, agent, owner },
    conversationId,
    rule,
    entries,
  }) => {
    const { contactId } = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
    const make = (data: object) =>
      db().conversation.create({ data: { workspaceId, channel: 'email', status: 'closed', ...data } });
    const [spam, closed, open, recent, restored, scheduled, merged, erased] = await Promise.all([
      make({ removal: 'spam', removedAt: new Date(), status: 'open' }),
      make({}),
      make({ status: 'pending' }),
      make({ subject: 'recent' }),
      make({}),
      make({}),
      make({}),
      make({ contact: undefined }),
    ]);
    await makeOld(workspaceId, 40);
    await db().conversation.update({ where: { id: open?.id ?? '' }, data: { status: 'pending' } });
    await db().conversation.update({
      where: { id: recent?.id ?? '' },
      data: { lastMessageAt: new Date(Date.now() - 29 * 86_400_000) },
    });
    await db().timelineEntry.create({
      data: {
        workspaceId,
        conversationId: restored?.id ?? '',
        kind: 'restored',
        actorKind: 'teammate',
        data: { from: 'deleted' },
      },
    });
    await db().pendingReply.create({
      data: {
        workspaceId,
        conversationId: scheduled?.id ?? '',
        authorId: agent.id,
        content: 'Later',
        sendAt: new Date(Date.now() + 86_400_000),
        sendsLater: true,
      },
    });
    await db().conversation.update({
      where: { id: merged?.id ?? '' },
      data: { mergedIntoId: open?.id ?? null },
    });
    await db().conversation.update({ where: { id: erased?.id ?? '' }, data: { contactId } });
    await db().conversation.update({ where: { id: conversationId }, data: { contactId: null } });
    await db().contactErasure.create({
      data: {
        workspaceId,
        contactId: contactId ?? '',
        requestedById: owner.id,
        requestedByName: owner.name,
        dueAt: new Date(Date.now() + 86_400_000),
      },
    });
    await makeApiToken({ where: { workspaceId, by: owner } });
    await rule({ conversationDays: 30 });
    const preview = await previewRetention(db(), {
      workspaceId,
      retention: { ...NOTHING, conversationDays: 31 },
    });
    expect(preview.conversations).toEqual({ count: 3, more: false });
    await applyRetention();
    const removed = await db().conversation.findMany({ where: { workspaceId, removal: 'deleted' } });
    expect(removed.map(({ id }) => id).toSorted()).toEqual(
      [conversationId, spam?.id ?? '', closed?.id ?? ''].toSorted(),
    );
    expect(await entries()).toEqual([{ deleted: '3' }]);
    const events = await db().event.findMany({ where: { workspaceId, key: 'conversation.deleted' } });
    expect(events.map(({ body }) => JSON.parse(body).conversation_id).toSorted()).toEqual(
      [conversationId, closed?.id ?? ''].toSorted(),
    );
    const shown = await db().timelineEntry.findFirst({ where: { conversationId, kind: 'deleted' } });
    expect(shown).toMatchObject({ actorKind: 'automatic' });
  });

  test('of two workers deletes each conversation once, over several runs, with one entry a night', async ({
    teammates: { workspaceId },
    rule,
    entries,
  }) => {
    await db().conversation.createMany({
      data: Array.from({ length: 250 }, () => ({ workspaceId, channel: 'email' as const })),
    });
    await makeOld(workspaceId, 40);
    await rule({ conversationDays: 30 });
    let runs = 0;
    for (; runs < 500 && (await entries()).length === 0; runs += 1)
      await Promise.all([applyRetention({ timeLimitMs: 100 }), applyRetention({ timeLimitMs: 100 })]);
    expect(runs).toBeGreaterThan(1);
    expect(await entries()).toEqual([{ deleted: '250' }]);
    const deletions = await db().timelineEntry.count({ where: { workspaceId, kind: 'deleted' } });
    expect(deletions).toBe(250);
    await Promise.all([applyRetention(), applyRetention()]);
    expect(await entries()).toHaveLength(1);
  });

  test('records a night that ran out of time in the next one', async ({
    teammates: { workspaceId },
    rule,
    entries,
  }) => {
    await rule({ conversationDays: 30 });
    await db().retentionRule.update({
      where: { workspaceId },
      data: { night: new Date('2026-01-01'), counts: { deleted: 7 } },
    });
    await applyRetention();
    expect(await entries()).toEqual([{ deleted: '7' }]);
  });
});

describe('of several rules', () => {
  test('one with a lot to do leaves time for the others', async ({ teammates, rule }) => {
    const { workspaceId } = teammates;
    await db().conversation.createMany({
      data: Array.from({ length: 1_000 }, () => ({ workspaceId, channel: 'email' as const })),
    });
    await makeOld(workspaceId, 40);
    await rule({ conversationDays: 30 });
    const other = await makeWorkspace({ name: 'Other' });
    await db().retentionRule.create({
      data: { workspaceId: other.id, auditDays: 30, startsAt: new Date() },
    });
    const finished = async () => {
      const both = { in: [workspaceId, other.id] };
      const rules = await db().retentionRule.findMany({
        where: { workspaceId: both, finishedAt: { not: null } },
      });
      return rules.map((each) => each.workspaceId);
    };
    for (let runs = 0; runs < 200 && (await finished()).length === 0; runs += 1)
      await applyRetention({ timeLimitMs: 100 });
    expect(await finished()).toEqual([other.id]);
  });
});

describe('a rule for files and audit entries', () => {
  test('leaves the files of a reply that failed and can be sent again, until its failure is dismissed', async ({
    teammates: { workspaceId },
    conversationId,
    inbox,
    rule,
    entries,
  }) => {
    const { id: messageId } = await inbox.reply(conversationId, 'With a file');
    const { id: fileId } = await db().storedFile.create({ data: { workspaceId, store: 'database' } });
    const createdAt = new Date(Date.now() - 40 * 86_400_000);
    const file = { name: 'a.txt', contentType: 'text/plain', sizeBytes: 1 };
    await db().attachment.create({
      data: { ...file, id: fileId, workspaceId, messageId, fileId, createdAt },
    });
    await makeOld(workspaceId, 40);
    await rule({ fileDays: 30, conversationDays: 30 });
    for (const sendStatus of ['failed', 'held_for_paywall'] as const) {
      await db().message.update({ where: { id: messageId }, data: { sendStatus } });
      await db().retentionRule.update({ where: { workspaceId }, data: { finishedAt: null } });
      await applyRetention();
      expect(await db().attachment.count({ where: { messageId } })).toBe(1);
      expect(await db().conversation.count({ where: { id: conversationId, removal: null } })).toBe(1);
    }
    await db().message.update({ where: { id: messageId }, data: { failureDismissedAt: new Date() } });
    await db().retentionRule.update({ where: { workspaceId }, data: { finishedAt: null } });
    await applyRetention();
    expect(await db().attachment.count({ where: { messageId } })).toBe(0);
    expect(await entries()).toMatchObject([{ files: '1', deleted: '1' }]);
  });

  test('is applied when the step for conversations fails, and the night stays unfinished', async ({
    teammates: { workspaceId },
    conversationId,
    rule,
  }) => {
    await makeOld(workspaceId, 40);
    const createdAt = new Date(Date.now() - 40 * 86_400_000);
    await db().auditEntry.create({ data: { workspaceId, kind: 'team_created', createdAt } });
    // Not JSON, so that reading the events of the version before the log fails.
    await db().event.create({
      data: { workspaceId, key: 'conversation.created', body: 'broken', logPosition: 0 },
    });
    await rule({ conversationDays: 30, anonymizes: true, auditDays: 30 });
    expect(await applyRetention()).toBe(0);
    expect(await db().auditEntry.count({ where: { workspaceId, kind: 'team_created' } })).toBe(0);
    expect(await db().conversation.count({ where: { id: conversationId, anonymizedAt: null } })).toBe(1);
  });

  test('deletes old files, original emails and entries, and leaves newer ones and the texts', async ({
    teammates: { workspaceId },
    conversationId,
    inbox,
    rule,
    entries,
  }) => {
    const [message] = await inbox.messages();
    const file = await db().storedFile.create({ data: { workspaceId, store: 'database' } });
    const old = new Date(Date.now() - 40 * 86_400_000);
    const attachment = {
      workspaceId,
      messageId: message?.id ?? '',
      name: 'a.txt',
      contentType: 'text/plain',
      sizeBytes: 1,
      fileId: file.id,
    };
    const newer = await db().storedFile.create({ data: { workspaceId, store: 'database' } });
    await db().attachment.create({ data: { ...attachment, id: file.id, createdAt: old } });
    await db().attachment.create({ data: { ...attachment, id: newer.id, fileId: newer.id } });
    await db().message.updateMany({ where: { conversationId }, data: { createdAt: old } });
    await db().auditEntry.create({ data: { workspaceId, kind: 'team_created', createdAt: old } });
    await rule({ fileDays: 30, auditDays: 30 });
    const preview = await previewRetention(db(), {
      workspaceId,
      retention: { ...NOTHING, fileDays: 30, auditDays: 30 },
    });
    expect(preview).toMatchObject({ files: { count: 2 }, auditEntries: { count: 1 } });
    await applyRetention();
    await removeExpiredFiles();
    expect(await entries()).toEqual([{ files: '1', originals: '1', auditEntries: '1' }]);
    const files = await db().storedFile.findMany({ where: { workspaceId } });
    expect(files.map(({ id }) => id)).toEqual([newer.id]);
    expect(await inbox.messages()).toMatchObject([{ content: message?.content }]);
    const kinds = await db().auditEntry.findMany({ where: { workspaceId, kind: 'team_created' } });
    expect(kinds).toEqual([]);
  });
});

describe('setting a rule', () => {
  test('deletes nothing for 24 hours, and again when it becomes stricter', async ({
    teammates: { workspaceId, owner },
    conversationId,
    workspaceName,
    rule,
  }) => {
    await makeOld(workspaceId, 400);
    const set = (retention: Partial<Retention>) =>
      setRetention({ workspaceId, retention: { ...NOTHING, ...retention }, typed: workspaceName, by: owner });
    await set({ conversationDays: 30 });
    expect(await applyRetention()).toBe(0);
    await rule({ conversationDays: 3_650 });
    const { startsAt } = await getRetention(db(), workspaceId);
    await set({ conversationDays: 3_650 });
    expect((await getRetention(db(), workspaceId)).startsAt).toEqual(startsAt);
    for (const stricter of [{ conversationDays: 365 }, { conversationDays: 365, anonymizes: true }]) {
      await set(stricter);
      expect((await getRetention(db(), workspaceId)).startsAt?.getTime()).toBeGreaterThan(
        Date.now() + 23 * 3_600_000,
      );
      expect(await applyRetention()).toBe(0);
      await db().retentionRule.update({ where: { workspaceId }, data: { startsAt: new Date() } });
    }
    await set({});
    expect(await applyRetention()).toBe(0);
    expect(await db().conversation.findUniqueOrThrow({ where: { id: conversationId } })).toMatchObject({
      removal: null,
      anonymizedAt: null,
    });
  });

  test('is refused to an admin, for a mistyped name and for days out of their bounds', async ({
    teammates: { workspaceId, owner, admin },
    workspaceName,
  }) => {
    const retention = { ...NOTHING, conversationDays: 30 };
    const change = { workspaceId, retention, typed: workspaceName, by: owner };
    await expect(setRetention({ ...change, by: admin })).rejects.toThrow('Only an owner');
    await expect(setRetention({ ...change, typed: 'Other' })).rejects.toThrow(workspaceName);
    for (const days of [29, 3_651, 30.5, Number.NaN])
      await expect(
        setRetention({ ...change, retention: { ...retention, conversationDays: days } }),
      ).rejects.toThrow('whole number');
    expect(await db().retentionRule.count({ where: { workspaceId } })).toBe(0);
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
  await db().note.create({
    data: {
      ...own,
      authorKind: 'teammate',
      content: 'Lovelace likes tea',
      version: 1,
      versions: { create: { number: 0, content: 'Lovelace likes coffee', writtenAt: new Date() } },
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

/** Makes conversations solved and old. */
async function makeOld(workspaceId: string, days: number): Promise<void> {
  await db().$executeRaw`
    update conversations set status = case when removal is null then 'solved' else status end, snoozed_until = null, resolved_at = now(),
      last_message_at = now() - make_interval(days => ${days}::int),
      status_changed_at = now() - make_interval(days => ${days}::int),
      removed_at = case when removed_at is not null then now() - make_interval(days => ${days}::int) end
    where workspace_id = ${workspaceId}::uuid`;
  await db().message.updateMany({
    where: { workspaceId, sendStatus: 'queued' },
    data: { sendStatus: 'sent' },
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
