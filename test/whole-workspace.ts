import { db } from '#server/core/database/db.ts';
import { makeDeliveries, makeHook } from '#test/deliveries.ts';
import { makeConnection } from '#test/factories.ts';

/** A connected workspace with one of nearly everything in it, for tests of what the data model allows. */
export async function makeWholeWorkspace() {
  const connection = await makeConnection();
  const { workspaceId, teammate } = connection;
  const member = { workspaceId, userId: teammate.id };
  const team = await db().team.create({ data: { workspaceId, name: 'Support' } });
  await db().teamMember.create({ data: { ...member, teamId: team.id } });
  const domain = { domain: `${workspaceId}.test` };
  const company = await db().company.create({
    data: { workspaceId, name: 'Acme', domains: { create: domain } },
  });
  const contact = await db().contact.create({
    data: { workspaceId, email: `ada@${domain.domain}`, firstName: 'Ada', companyId: company.id },
  });
  const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  const conversation = await db().conversation.create({
    data: {
      workspaceId,
      channel: 'email',
      contactId: contact.id,
      teamId: team.id,
      mailboxId: mailbox.id,
      assigneeId: teammate.id,
      assignedAt: new Date(),
    },
  });
  const merged = await db().conversation.create({
    data: { workspaceId, channel: 'email', contactId: contact.id, mergedIntoId: conversation.id },
  });
  const at = { workspaceId, conversationId: conversation.id };
  const account = await db().channelAccount.create({
    data: {
      workspaceId,
      channel: 'telegram',
      externalId: workspaceId,
      name: 'A bot',
      credentials: Buffer.from('sealed'),
    },
  });
  await db().conversation.create({
    data: {
      workspaceId,
      channel: 'telegram',
      contactId: contact.id,
      channelAccountId: account.id,
      externalThreadId: '1',
    },
  });
  const identity = await db().contactIdentity.create({
    data: { workspaceId, contactId: contact.id, channel: 'telegram', externalId: '1' },
  });
  const update = await db().inboundUpdate.create({
    data: {
      workspaceId,
      accountId: account.id,
      channel: 'telegram',
      externalId: '1',
      body: Buffer.from('{}'),
    },
  });
  const message = await db().message.create({
    data: {
      ...at,
      direction: 'outbound',
      authorKind: 'workflow',
      authorId: teammate.id,
      connectionId: connection.id,
      content: 'Hello',
      sendStatus: 'sent',
    },
  });
  await db().mailReference.create({
    data: { ...at, messageId: message.id, messageIdHeader: '<1@acme.test>' },
  });
  const run = await db().commandRun.create({
    data: { ...at, operatorId: teammate.id, operatorName: 'O', operatorEmail: 'o@o.test', command: 'refund' },
  });
  await db().note.create({
    data: {
      ...at,
      authorKind: 'automatic',
      content: 'Ran /refund',
      commandRunId: run.id,
      mentions: { create: { userId: teammate.id } },
    },
  });
  await db().conversationTag.create({ data: { ...at, key: 'vip', name: 'VIP' } });
  const tag = { position: 0, key: 'vip', name: 'VIP' };
  const tagging = await db().tagging.create({
    data: { ...at, actorKind: 'teammate', tags: { create: tag } },
  });
  const sample = {
    ...at,
    event: 'conversation.tagged',
    subjectId: tagging.id,
    occurredAt: tagging.createdAt,
  };
  await db().sample.createMany({ data: [sample, { ...sample, filter: 'vip' }] });
  const rating = await db().rating.create({
    data: { ...at, solvedConversationId: at.conversationId, score: 5 },
  });
  await db().timelineEntry.create({ data: { ...at, kind: 'created', actorKind: 'contact' } });
  await db().slaClock.create({ data: { ...at, kind: 'resolution', dueAt: new Date() } });
  await db().notification.create({ data: { ...member, kind: 'assigned', conversationId: conversation.id } });
  const hook = await makeHook(connection);
  const [eventId = ''] = await makeDeliveries(hook, 1);
  const delivery = await db().delivery.create({
    data: { workspaceId, eventId, hookId: hook.id, nextAttemptAt: new Date() },
  });
  await db().attempt.create({
    data: {
      eventId: delivery.eventId,
      deliveryId: delivery.id,
      number: 1,
      outcome: 'failed',
      startedAt: new Date(),
      durationMs: 1,
    },
  });
  return {
    workspaceId,
    connectionId: connection.id,
    accessToken: connection.accessToken,
    userId: teammate.id,
    teamId: team.id,
    contactId: contact.id,
    conversationId: conversation.id,
    mergedId: merged.id,
    messageId: message.id,
    accountId: account.id,
    identityId: identity.id,
    updateId: update.id,
    ratingId: rating.id,
    runId: run.id,
    hookId: hook.id,
    eventId,
    deliveryId: delivery.id,
  };
}
