import { expect } from 'vitest';
import { mailUnseen } from '#server/administration/notifications/mail-unseen.ts';
import { removeOldNotifications } from '#server/administration/notifications/remove-old-notifications.ts';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { DEFAULT_CHOICES } from '#server/teammates/notification-kinds.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import { addTeammate, makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

const test = mailTest
  .extend('conversationId', ({ teammates: { workspaceId, agent } }) =>
    makeConversation({ workspaceId, teammate: agent }),
  )
  .extend('notify', ({ teammates, conversationId }) => notifier(teammates, conversationId));
test.override('settings', { MAIL_FROM: 'news@inbox.test' });
test.beforeEach(() => db().notification.deleteMany());

test('notifications unseen for ten minutes are emailed once, with all unseen ones, newest first', async ({
  mail,
  teammates,
  conversationId,
  notify,
}) => {
  await notify();
  await notify({ kind: 'sla_breached', data: { limit: 'first_response' }, createdAt: minutesAgo(1) });
  await notify({ kind: 'contact_wrote', data: { messageId: conversationId } });
  await notify({ kind: 'rated', data: { score: 1 }, readAt: new Date() });
  await Promise.all([mailUnseen(), mailUnseen(), mailUnseen()]);
  await mailUnseen();
  expect(mail.received.map(({ to }) => to)).toEqual([[teammates.agent.email]]);
  const [received] = mail.received;
  expect(received?.from).toBe('news@inbox.test');
  expect(received?.email.subject).toBe('You have 2 new notifications in Acme');
  const text = received?.email.text ?? '';
  expect(text).toContain(`http://inbox.test/inbox?selected=${conversationId}\n`);
  expect(text.indexOf('The first response to “Order” is overdue.')).toBeGreaterThan(0);
  expect(text.indexOf('Olivia Owen mentioned you in a note to “Order”.')).toBeGreaterThan(
    text.indexOf('The first response to “Order” is overdue.'),
  );
  expect(text).not.toContain('wrote');
  expect(received?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
});

test('a conversation that its teammate no longer sees is named neither in an email, nor in an alert, nor in the bell', async ({
  mail,
  teammates: { workspaceId, agent },
  conversationId,
  notify,
}) => {
  const notifications = async () => (await (await signInTeammate(agent))()).notifications;
  await db().conversation.update({
    where: { id: conversationId },
    data: { assigneeId: null, assignedAt: null, teamId: null },
  });
  await notify();
  await notify({ kind: 'mentioned', data: { byName: 'Ada', noteId: conversationId }, createdAt: new Date() });
  expect(await (await notifications()).list()).toMatchObject({ unread: 2 });
  // The notifications wait to be mailed when the limit is set.
  await db().member.updateMany({ where: { workspaceId, userId: agent.id }, data: { onlyAssigned: true } });
  expect(await (await notifications()).list()).toMatchObject({ newest: [], unread: 0, hasUnread: false });
  expect(await (await notifications()).alerts()).toEqual([]);
  await mailUnseen();
  expect(mail.received).toEqual([]);
});

test('a deleted conversation is named neither in an email nor in an alert, also for those who may read it', async ({
  mail,
  teammates,
  conversationId,
  notify,
}) => {
  const { workspaceId, agent } = teammates;
  await db().member.updateMany({ where: { userId: agent.id }, data: { role: 'admin' } });
  const kept = await makeConversation({ workspaceId, teammate: agent }, { subject: 'Kept' });
  await notify({ kind: 'mentioned', data: { byName: 'Ada', noteId: conversationId }, createdAt: new Date() });
  await notify();
  await notify({ conversationId: kept });
  const alerts = async () => (await (await signInTeammate(agent))()).notifications.alerts();
  expect(await alerts()).toHaveLength(1);
  await removeConversation({
    workspaceId,
    id: conversationId,
    to: 'deleted',
    actor: { kind: 'teammate', teammate: agent },
  });
  expect(await alerts()).toEqual([]);
  await mailUnseen();
  expect(mail.received.map(({ email }) => email.subject)).toEqual([
    'Olivia Owen mentioned you in a note to “Kept”.',
  ]);
});

test('a single notification is the subject; of many, ten are listed and the rest counted', async ({
  mail,
  conversationId,
  notify,
}) => {
  await notify();
  await mailUnseen();
  expect(mail.received[0]?.email.subject).toBe('Olivia Owen mentioned you in a note to “Order”.');
  for (let i = 0; i < 22; i += 1)
    await notify({ kind: 'noted', data: { byName: null, noteId: conversationId } });
  await mailUnseen();
  const text = mail.received[1]?.email.text ?? '';
  expect(text.match(/A note was added/g)).toHaveLength(10);
  expect(text).toContain('And 12 more: http://inbox.test/inbox\n');
});

test('nothing is emailed too early, after a day, to a former member or about a deleted workspace', async ({
  mail,
  teammates,
  notify,
}) => {
  const { workspaceId } = teammates;
  const ids = [await notify({ createdAt: minutesAgo(9) }), await notify({ createdAt: minutesAgo(25 * 60) })];
  const left = await addTeammate(workspaceId, 'agent');
  ids.push(await notify({ userId: left.id }));
  await db().member.deleteMany({ where: { userId: left.id } });
  const gone = await makeTeammates();
  await db().workspace.update({ where: { id: gone.workspaceId }, data: { deletedAt: new Date() } });
  ids.push(await notify({ workspaceId: gone.workspaceId, userId: gone.agent.id, conversationId: null }));
  await mailUnseen();
  expect(mail.received).toEqual([]);
  for (const id of ids) expect(await emailedAt(id)).toBeNull();
});

test('preferences decide which kinds are emailed, and failed replies are always', async ({
  mail,
  teammates,
  conversationId,
  notify,
}) => {
  await prefer(teammates, { email: ['contact_wrote'] });
  await notify();
  await mailUnseen();
  expect(mail.received).toEqual([]);
  await notify({ kind: 'contact_wrote', data: { messageId: conversationId } });
  await notify({ kind: 'sla_breached', data: { limit: 'resolution' } });
  await mailUnseen();
  expect(mail.received.map(({ to }) => to)).toEqual([[teammates.agent.email]]);
  const text = mail.received[0]?.email.text ?? '';
  expect(text).toContain('wrote in “Order”');
  expect(text).toContain('is overdue');
  expect(text).not.toContain('mentioned');
});

test('an assignment is emailed only as long as it is true and the conversation is not solved', async ({
  mail,
  teammates: { agent, admin },
  conversationId,
  notify,
}) => {
  const assigned = { kind: 'assigned', data: { byName: 'Olivia Owen' } };
  const set = (data: Prisma.ConversationUncheckedUpdateInput) =>
    db().conversation.update({ where: { id: conversationId }, data });
  await notify(assigned);
  await notify({ ...assigned, userId: admin.id });
  const now = new Date();
  for (const data of [
    { assigneeId: admin.id, status: 'solved', resolvedAt: now },
    { status: 'open', removal: 'deleted', removedAt: now },
  ] as const) {
    await set(data);
    await mailUnseen();
    expect(mail.received).toEqual([]);
  }
  await set({ removal: null, removedAt: null });
  await mailUnseen();
  expect(mail.received.map(({ to }) => to)).toEqual([[admin.email]]);
  await set({ assigneeId: agent.id });
  await mailUnseen();
  expect(mail.received.map(({ to }) => to)).toEqual([[admin.email], [agent.email]]);
});

test('a missed SLA target is emailed only as long as its clock runs or is paused', async ({
  mail,
  teammates: { workspaceId },
  conversationId,
  notify,
}) => {
  const at = { startedAt: minutesAgo(90), dueAt: minutesAgo(30), breachedAt: minutesAgo(30) };
  const clock = { ...at, workspaceId, conversationId };
  await db().slaClock.create({ data: { ...clock, kind: 'first_response', stoppedAt: minutesAgo(20) } });
  await db().slaClock.create({ data: { ...clock, kind: 'resolution', pausedAt: minutesAgo(20) } });
  await notify({ kind: 'sla_breached', data: { limit: 'first_response' } });
  await mailUnseen();
  expect(mail.received).toEqual([]);
  await notify({ kind: 'sla_breached', data: { limit: 'resolution' } });
  await mailUnseen();
  expect(mail.received.map(({ email }) => email.subject)).toEqual(['The resolution of “Order” is overdue.']);
});

test('a failed message is emailed only until it is sent again, and a doubtful one always', async ({
  mail,
  teammates: { workspaceId },
  conversationId,
  notify,
}) => {
  const reply = { workspaceId, conversationId, direction: 'outbound', authorKind: 'teammate' } as const;
  const { id: messageId } = await db().message.create({
    data: { ...reply, content: 'Hello', sendStatus: 'sent' },
  });
  const failed = { messageId, why: 'The mailbox is full.', isYours: false, byName: 'Ada' };
  await notify({ kind: 'message_failed', data: failed });
  await mailUnseen();
  expect(mail.received).toEqual([]);
  await db().message.update({ where: { id: messageId }, data: { sendStatus: 'failed' } });
  await mailUnseen();
  await db().message.update({
    where: { id: messageId },
    data: { sendStatus: 'sent', arrivalDoubtful: true },
  });
  await notify({ kind: 'message_failed', data: { ...failed, isDoubtful: true } });
  await mailUnseen();
  expect(mail.received.map(({ email }) => email.subject)).toEqual([
    'Sending Ada’s message in “Order” failed. The mailbox is full.',
    'Ada’s message in “Order” may not have arrived. The mailbox is full.',
  ]);
});

test('a reply that was not sent is emailed only until a teammate sends, edits or discards it', async ({
  mail,
  teammates: { workspaceId, agent, owner },
  conversationId,
  notify,
}) => {
  const failed = { kind: 'reply_not_sent', data: { why: 'The contact wrote.', byName: null } };
  const hold = () =>
    db().pendingReply.create({
      data: {
        workspaceId,
        conversationId,
        authorId: agent.id,
        content: 'Hello',
        sendAt: new Date(),
        problem: 'No.',
      },
      select: { id: true },
    });
  const { id } = await hold();
  await notify(failed);
  await cancelReply({ workspaceId, id, by: owner });
  await mailUnseen();
  expect(mail.received).toEqual([]);
  await hold();
  await mailUnseen();
  expect(mail.received.map(({ email }) => email.subject)).toEqual([
    'Your reply in “Order” was not sent. The contact wrote.',
  ]);
});

test('emails wait until the end of quiet hours', async ({ mail, teammates, notify }) => {
  const hour = new Date().getUTCHours();
  const [from, until] = [hour * 60, ((hour + 2) % 24) * 60];
  await prefer(teammates, { quietFrom: from, quietUntil: until, timeZone: 'UTC' });
  await notify();
  await notify({ userId: teammates.admin.id });
  await mailUnseen();
  expect(mail.received.map(({ to }) => to)).toEqual([[teammates.admin.email]]);
  await db().notificationPreference.updateMany({ data: { quietFrom: until, quietUntil: from } });
  await mailUnseen();
  expect(mail.received.map(({ to }) => to)).toEqual([[teammates.admin.email], [teammates.agent.email]]);
});

test('a refused email is retried for an hour, and other emails are sent in the meantime', async ({
  mail,
  teammates,
  notify,
}) => {
  const young = await notify();
  const old = await notify({ userId: teammates.admin.id, createdAt: minutesAgo(70) });
  const fine = await notify({ userId: teammates.owner.id });
  mail.respond(({ to }) => {
    if (!to.includes(teammates.owner.email)) throw new Error('Not now');
  });
  await mailUnseen();
  expect(await emailedAt(young)).toBeNull();
  for (const id of [old, fine]) expect(await emailedAt(id)).toEqual(expect.any(Date));
  mail.received.length = 0;
  mail.respond();
  await mailUnseen();
  expect(mail.received.map(({ to }) => to)).toEqual([[teammates.agent.email]]);
});

test('an email that the mail server cannot accept at the end of quiet hours is retried until it can', async ({
  mail,
  teammates,
  notify,
}) => {
  const inTheEvening = await notify({ createdAt: minutesAgo(13 * 60) });
  mail.respond(() => {
    throw Object.assign(new Error('Try again later'), { responseCode: 451 });
  });
  await mailUnseen();
  await mailUnseen();
  expect(await emailedAt(inTheEvening)).toBeNull();
  mail.received.length = 0;
  mail.respond();
  await mailUnseen();
  expect(mail.received.map(({ to }) => to)).toEqual([[teammates.agent.email]]);
});

test('opening a conversation marks only its own notifications as read', async ({
  teammates,
  conversationId,
  notify,
}) => {
  const { workspaceId, agent: teammate } = teammates;
  const other = await makeConversation({ workspaceId, teammate });
  const ids = {
    own: await notify(),
    elsewhere: await notify({ conversationId: other }),
    colleagues: await notify({ userId: teammates.admin.id }),
  };
  const screens = await (await signInTeammate(teammates.agent))();
  expect((await screens.notifications.list()).unread).toBe(2);
  expect(await screens.notifications.markConversationRead({ conversationId })).toBe(true);
  expect(await screens.notifications.markConversationRead({ conversationId })).toBe(false);
  expect(await screens.notifications.markConversationRead({ conversationId: 'none' })).toBe(false);
  expect((await screens.notifications.list()).unread).toBe(1);
  const unread = await db().notification.findMany({ where: { readAt: null } });
  expect(unread.map(({ id }) => id).sort()).toEqual([ids.elsewhere, ids.colleagues].sort());
});

test('notifications are deleted after ninety days, read or unread', async ({ teammates, notify }) => {
  const old = minutesAgo(91 * 24 * 60);
  await notify({ createdAt: old });
  await notify({ createdAt: old, readAt: old, userId: teammates.admin.id });
  const left = await addTeammate(teammates.workspaceId, 'agent');
  await notify({ createdAt: old, userId: left.id });
  await db().member.deleteMany({ where: { userId: left.id } });
  const young = await notify({ createdAt: minutesAgo(89 * 24 * 60) });
  expect(await removeOldNotifications()).toBe(3);
  expect(await removeOldNotifications()).toBe(0);
  const rest = await db().notification.findMany();
  expect(rest.map(({ id }) => id)).toEqual([young]);
});

/** Returns a function that creates a notification for the agent, by default eleven minutes old, and returns its id. */
function notifier({ workspaceId, agent }: Teammates, conversationId: string) {
  return async (columns: Partial<Prisma.NotificationUncheckedCreateInput> = {}): Promise<string> => {
    const { id } = await db().notification.create({
      data: {
        workspaceId,
        userId: agent.id,
        kind: 'mentioned',
        data: { byName: 'Olivia Owen', noteId: conversationId },
        conversationId,
        createdAt: minutesAgo(11),
        ...columns,
      },
    });
    return id;
  };
}

/** Saves preferences of the agent. */
async function prefer(
  { workspaceId, agent }: Teammates,
  columns: Partial<Prisma.NotificationPreferenceUncheckedCreateInput>,
): Promise<void> {
  await db().notificationPreference.create({
    data: { workspaceId, userId: agent.id, ...DEFAULT_CHOICES, ...columns },
  });
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

const emailedAt = async (id: string) =>
  (await db().notification.findUniqueOrThrow({ where: { id } })).emailedAt;
