import { describe, expect } from 'vitest';
import { applyRetention } from '#server/administration/retention/apply-retention.ts';
import { previewRetention } from '#server/administration/retention/preview-retention.ts';
import { db } from '#server/core/database/prisma.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { makeOld, NOTHING, test } from '#test/fixtures/retention-test.ts';

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

test('reads the events of the workspace once for hundreds of conversations, and again for each 500 that it deletes', async ({
  teammates: { workspaceId },
  rule,
  entries,
}) => {
  await db().event.deleteMany({ where: { workspaceId } });
  const made = await db().conversation.createManyAndReturn({
    data: Array.from({ length: 251 }, () => ({ workspaceId, channel: 'email' as const })),
  });
  const event = { workspaceId, key: 'note.added', body: '{}' };
  await db().event.createMany({
    data: made.flatMap(({ id }) => [0, 1].map(() => ({ ...event, conversationId: id }))),
  });
  // Of another conversation, which is not due.
  const { id } = await db().conversation.create({ data: { workspaceId, channel: 'email' } });
  await db().event.create({ data: { ...event, conversationId: id } });
  await makeOld(workspaceId, 40);
  await db().conversation.update({ where: { id }, data: { status: 'open' } });
  await rule({ conversationDays: 30, anonymizes: true });
  // A turn of a quarter of the time that is long enough for all of them, also on a busy machine.
  const timeLimitMs = 600_000;
  const statements = await statementsOf(async () => expect(await applyRetention({ timeLimitMs })).toBe(1));
  expect(await entries()).toEqual([{ anonymized: '251' }]);
  expect(await db().event.findMany({ where: { workspaceId } })).toMatchObject([{ conversationId: id }]);
  const reads = statements.filter(({ text }) => text.includes('from events where'));
  // 500 of 502 events, the others, and those of versions before the log.
  expect(reads).toHaveLength(3);
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
    const ofNote = await db().storedFile.create({ data: { workspaceId, store: 'database' } });
    const { messageId: _, ...noteFile } = { ...attachment, id: ofNote.id, fileId: ofNote.id, position: 0 };
    await db().note.create({
      data: {
        workspaceId,
        conversationId,
        authorKind: 'teammate',
        content: 'See the file',
        files: { create: { ...noteFile, createdAt: old } },
      },
    });
    await db().message.updateMany({ where: { conversationId }, data: { createdAt: old } });
    await db().auditEntry.create({ data: { workspaceId, kind: 'team_created', createdAt: old } });
    await rule({ fileDays: 30, auditDays: 30 });
    const preview = await previewRetention(db(), {
      workspaceId,
      retention: { ...NOTHING, fileDays: 30, auditDays: 30 },
    });
    expect(preview).toMatchObject({ files: { count: 3 }, auditEntries: { count: 1 } });
    await applyRetention();
    await removeExpiredFiles();
    expect(await entries()).toEqual([{ files: '2', originals: '1', auditEntries: '1' }]);
    const files = await db().storedFile.findMany({ where: { workspaceId } });
    expect(files.map(({ id }) => id)).toEqual([newer.id]);
    expect(await inbox.messages()).toMatchObject([{ content: message?.content }]);
    const kinds = await db().auditEntry.findMany({ where: { workspaceId, kind: 'team_created' } });
    expect(kinds).toEqual([]);
  });
});
