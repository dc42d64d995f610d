import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { setRole } from '#server/administration/members/set-role.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { saveDraft } from '#server/inbox/messages/reply-drafts.ts';
import { rescheduleReply } from '#server/inbox/messages/reschedule-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { keepSavedFiles } from '#server/inbox/saved-replies/keep-saved-files.ts';
import { addSavedReply, deleteSavedReply } from '#server/inbox/saved-replies/saved-replies.ts';
import { countViews } from '#server/screens/inbox/count-inbox.ts';
import { listInbox } from '#server/screens/inbox/list-inbox.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { allMoved, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/reply-desk-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { storedConversation } from '#test/fixtures/stored-rows.ts';
import { addTeammate, makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Desk = Awaited<ReturnType<typeof import('#test/fixtures/reply-desk-test.ts').openDesk>>;

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

describe('a reply that is sent later', () => {
  test('waits for its time, and is sent then by its one job', async ({ teammates, desk }) => {
    const sendAt = inHours(3);
    const id = await desk.hold('See you on Monday', teammates.agent, randomUUID(), { sendAt });
    expect(await runTimes()).toEqual([expect.closeTo(sendAt.getTime() / 1000, -1)]);
    const [shown] = await desk.pending();
    expect(shown).toMatchObject({ id, problem: null, isAnswered: false });
    expect(Math.abs((shown?.laterAt?.getTime() ?? 0) - sendAt.getTime())).toBeLessThan(2_000);
    expect(await desk.messages()).toEqual([]);
    await sendPendingReply(id);
    expect(await desk.messages()).toMatchObject([
      { content: 'See you on Monday', authorId: teammates.agent.id },
    ]);
  });

  test.for([
    ['a past time', -1, 'Choose a time in the future.'],
    ['a time in more than a year', 24 * 400, 'Choose a time within the next year.'],
  ] as const)('is refused for %s', async ([, hours, sentence], { teammates, desk }) => {
    const held = desk.hold('Hello', teammates.agent, randomUUID(), { sendAt: inHours(hours) });
    await expect(held).rejects.toMatchObject({ refusal: 'invalid', errors: { sendAt: [sentence] } });
    expect(await queuedJobs()).toEqual([]);
  });

  test('keeps its files until 30 days after its time', async ({
    teammates: { workspaceId, agent },
    desk,
  }) => {
    const stored = await storeBytes(workspaceId, { name: 'offer.txt' });
    const files = [signUploaded(workspaceId, stored)];
    const id = await desk.hold('', agent, randomUUID(), { sendAt: inHours(24 * 100), files });
    const daysLeft = async () => {
      const { expiresAt } = await db().storedFile.findUniqueOrThrow({ where: { id: stored.id } });
      return Math.round(((expiresAt?.getTime() ?? 0) - Date.now()) / DAY_MS);
    };
    expect(await daysLeft()).toBe(130);
    await rescheduleReply({ workspaceId, id, by: agent, sendAt: inHours(24 * 200), seen: [] });
    expect(await daysLeft()).toBe(230);
  });

  test('keeps its files for that time also if a draft is stored with them afterwards', async ({
    teammates: { workspaceId, owner, agent },
    desk: { hold, conversationId },
  }) => {
    const own = signUploaded(workspaceId, await storeBytes(workspaceId));
    const shared = signUploaded(workspaceId, await storeBytes(workspaceId));
    const fields = { name: 'Offer', folder: '', content: 'Our offer', isPrivate: false, files: [shared] };
    const { id: savedReplyId } = await addSavedReply({ workspaceId, by: owner, ...fields });
    const inserted = () => keepSavedFiles({ workspaceId, userId: agent.id, id: savedReplyId });
    await inserted();
    await hold('Hello', agent, randomUUID(), { sendAt: inHours(24 * 100), files: [own, shared] });
    await inserted();
    const draft = { content: 'Hello', answers: null, copies: null, files: [own, shared], savedReplyIds: [] };
    await saveDraft({ workspaceId, conversationId, author: agent, version: 0, ...draft });
    const until = await db().storedFile.findMany({ where: { id: { in: [own.id, shared.id] } } });
    const daysLeft = until.map(({ expiresAt, keptUntil }) =>
      Math.round((Number(expiresAt ?? keptUntil) - Date.now()) / DAY_MS),
    );
    expect(daysLeft).toEqual([130, 130]);
  });

  test('has the file of a saved reply also if that was deleted, stored in a draft and sent with it', async ({
    teammates: { workspaceId, owner, agent },
    desk: { hold, conversationId, messages },
  }) => {
    const file = signUploaded(workspaceId, await storeBytes(workspaceId));
    const fields = { name: 'Offer', folder: '', content: 'Our offer', isPrivate: false, files: [file] };
    const saved = { workspaceId, ...(await addSavedReply({ workspaceId, by: owner, ...fields })) };
    await keepSavedFiles({ ...saved, userId: agent.id });
    const later = await hold('Later', agent, randomUUID(), { sendAt: inHours(1), files: [file] });
    await deleteSavedReply({ ...saved, by: owner });
    const draft = { content: 'Now', answers: null, copies: null, files: [file], savedReplyIds: [] };
    await saveDraft({ workspaceId, conversationId, author: agent, version: 0, ...draft });
    await sendPendingReply(await hold('Now', agent, randomUUID(), { files: [file] }));
    await sendPendingReply(later);
    expect((await messages()).map(({ content }) => content).toSorted()).toEqual(['Later', 'Now']);
    expect(await db().attachment.count({ where: { fileId: file.id } })).toBe(2);
  });

  test('can be edited or discarded by every teammate, because its author may be away', async ({
    teammates: { workspaceId, owner },
    desk,
  }) => {
    const id = await schedule(desk);
    expect(await cancelReply({ workspaceId, id, by: owner })).toMatchObject({ content: 'Hello Ada' });
    await sendPendingReply(id);
    expect(await desk.messages()).toEqual([]);
  });

  test('solves its conversation only once it was sent', async ({ teammates: { agent }, desk }) => {
    const id = await desk.hold('Done', agent, randomUUID(), { sendAt: inHours(1), solves: true });
    expect(await storedConversation(desk.conversationId)).toMatchObject({ status: 'open' });
    await sendPendingReply(id);
    const [message] = await desk.messages();
    await sendQueuedMessage(message?.id ?? '');
    expect(await storedConversation(desk.conversationId)).toMatchObject({ status: 'solved' });
  });
});

test('a scheduled reply of a teammate who left, is away or became a viewer is not forgotten: others are notified', async ({
  teammates: { workspaceId, owner, admin, agent },
  desk,
}) => {
  const sorted = (...all: { id: string }[]) => all.map(({ id }) => id).toSorted();
  const team = await db().team.create({ data: { workspaceId, name: 'Billing' } });
  const member = { workspaceId_userId: { workspaceId, userId: agent.id } };
  const recipients = async (id: string) => {
    await sendPendingReply(id);
    const where = { conversationId: desk.conversationId, kind: 'reply_not_sent' };
    const found = await db().notification.findMany({ where });
    return found.map(({ userId }) => userId).toSorted();
  };
  const refused = async (data: { teamId?: string } = {}) => {
    await desk.openConversation();
    await db().conversation.update({ where: { id: desk.conversationId }, data });
    const id = await schedule(desk);
    await contactWrites(workspaceId, desk);
    return id;
  };
  expect(await recipients(await refused())).toEqual([agent.id]);
  await db().member.update({ where: member, data: { awaySince: new Date() } });
  expect(await recipients(await refused())).toEqual(sorted(owner, admin, agent));
  const colleague = await addTeammate(workspaceId, 'agent');
  await db().teamMember.create({ data: { workspaceId, teamId: team.id, userId: colleague.id } });
  expect(await recipients(await refused({ teamId: team.id }))).toEqual(sorted(colleague, agent));
  await db().member.update({ where: member, data: { awaySince: null } });
  const demoted = await refused();
  await setRole({ workspaceId, userId: agent.id, role: 'viewer', by: owner });
  expect(await recipients(demoted)).toEqual(sorted(owner, admin, agent));
  await setRole({ workspaceId, userId: agent.id, role: 'agent', by: owner });
  const left = await refused();
  await db().member.delete({ where: member });
  expect(await recipients(left)).toEqual(sorted(owner, admin));
});

describe('a contact who writes before a reply is sent', () => {
  const ANSWERED =
    'The contact wrote after it was scheduled. Read their message, then send, edit or discard the reply.';

  test('stops it: its author is asked', async ({ teammates, desk }) => {
    const { workspaceId, agent } = teammates;
    const id = await schedule(desk);
    await contactWrites(workspaceId, desk);
    expect(await desk.pending()).toMatchObject([{ id, isAnswered: true, problem: null }]);
    await sendPendingReply(id);
    expect(await desk.messages()).toMatchObject([{ direction: 'inbound' }]);
    expect(await desk.pending()).toMatchObject([{ id, problem: ANSWERED }]);
    expect(await storedConversation(desk.conversationId)).toMatchObject({ sendLaterAt: null });
    expect(await hasFailed(teammates)).toBe(true);
    expect(
      await db().notification.findMany({ where: { userId: agent.id, kind: 'reply_not_sent' } }),
    ).toMatchObject([{ data: { why: ANSWERED } }]);
  });

  test('in a conversation that is merged into this one stops it, too', async ({ teammates, desk }) => {
    const { workspaceId, agent: by } = teammates;
    const id = await schedule(desk);
    const target = desk.conversationId;
    await desk.openConversation();
    const written = await contactWrites(workspaceId, desk);
    await mergeAs({ workspaceId, teammate: teammates.owner }, desk.conversationId, target);
    desk.conversationId = target;
    expect(await desk.pending()).toMatchObject([{ id, isAnswered: true }]);
    await sendPendingReply(id);
    expect(await desk.messages()).toEqual([]);
    await expect(rescheduleReply({ workspaceId, id, by, sendAt: null, seen: [] })).rejects.toThrow();
    await rescheduleReply({ workspaceId, id, by, sendAt: null, seen: [written] });
  });

  test('in a conversation that is merged while the reply is about to be sent: it waits in the other one', async ({
    teammates,
    desk,
  }) => {
    const { workspaceId, owner: teammate, agent } = teammates;
    const id = await schedule(desk);
    const source = desk.conversationId;
    await desk.openConversation();
    const target = desk.conversationId;
    await inTransaction(async (tx) => {
      await tx.$queryRaw`select 1 as locked from pending_replies where id = ${id}::uuid for update`;
      await mergeAs({ workspaceId, teammate }, source, target);
    });
    await sendPendingReply(id);
    expect(await desk.pending()).toMatchObject([{ id, problem: expect.stringContaining('was merged into') }]);
    expect(await storedConversation(source)).toMatchObject({ sendLaterAt: null });
    expect(await hasFailed(teammates)).toBe(true);
    const told = { userId: agent.id, kind: 'reply_not_sent', conversationId: target };
    expect(await db().notification.count({ where: told })).toBe(1);
  });

  test('and a job at the same time: the reply is sent before the message, or not at all', async ({
    teammates: { workspaceId },
    desk,
  }) => {
    for (let round = 0; round < 10; round += 1) {
      await desk.openConversation();
      const id = await schedule(desk);
      await Promise.all([contactWrites(workspaceId, desk), sendPendingReply(id)]);
      const written = (await desk.messages())
        .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
        .map(({ direction }) => direction);
      expect([['inbound'], ['outbound', 'inbound']]).toContainEqual(written);
    }
  });

  test('before it was scheduled does not stop it, nor does a machine’s mail', async ({
    teammates: { workspaceId, agent },
    desk,
  }) => {
    await contactWrites(workspaceId, desk);
    const id = await schedule(desk);
    await contactWrites(workspaceId, desk, { automatic: true });
    expect(await desk.pending(agent.id)).toMatchObject([{ isAnswered: false }]);
    await sendPendingReply(id);
    expect(await desk.messages()).toHaveLength(3);
  });

  test('does not stop it once its author has read the message and decides to send it', async ({
    teammates,
    desk,
  }) => {
    const { workspaceId, agent: by } = teammates;
    const id = await schedule(desk);
    const seen = [await contactWrites(workspaceId, desk)];
    await sendPendingReply(id);
    const unread = await contactWrites(workspaceId, desk);
    const again = (which: string[]) =>
      rescheduleReply({ workspaceId, id, by, sendAt: inHours(2), seen: which });
    await expect(again(seen)).rejects.toMatchObject({
      message: 'The contact wrote in the meantime. Read the new message first.',
    });
    const { id: next } = await again([...seen, unread]);
    expect(await desk.pending()).toMatchObject([{ id: next, problem: null, isAnswered: false }]);
    expect(await hasFailed(teammates)).toBe(false);
    await sendPendingReply(next);
    expect((await desk.messages()).filter(({ direction }) => direction === 'outbound')).toHaveLength(1);
  });
});

test('a reply that is held at its time, because emails can no longer be sent, notifies its author and the assignee', async ({
  teammates: { workspaceId, agent, owner },
  desk,
}) => {
  const [later, now] = [await schedule(desk), await desk.hold('Hello now')];
  const data = { assigneeId: owner.id, assignedAt: new Date() };
  await db().conversation.update({ where: { id: desk.conversationId }, data });
  await db().workspace.update({ where: { id: workspaceId }, data: { plan: 'starter' } });
  for (const id of [now, later]) await sendPendingReply(id);
  expect(await desk.messages()).toMatchObject([
    { sendStatus: 'held_for_paywall' },
    { sendStatus: 'held_for_paywall' },
  ]);
  const found = await db().notification.findMany({ where: { workspaceId, kind: 'message_failed' } });
  expect(found.map(({ userId }) => userId).toSorted()).toEqual([agent.id, owner.id].toSorted());
  expect(found).toMatchObject([{ data: { messageId: later } }, { data: { messageId: later } }]);
});

describe('a merge', () => {
  test('shows a scheduled reply in the target, where it is never sent as it is, and notifies its author', async ({
    teammates,
    desk,
  }) => {
    const { workspaceId, agent } = teammates;
    const id = await schedule(desk);
    const source = desk.conversationId;
    desk.conversationId = await desk.mergeIntoNew();
    expect(await desk.pending()).toMatchObject([
      { id, laterAt: null, problem: expect.stringContaining('was merged into this one') },
    ]);
    expect(await storedConversation(source)).toMatchObject({ sendLaterAt: null });
    expect(await hasFailed(teammates)).toBe(true);
    await sendPendingReply(id);
    const again = rescheduleReply({ workspaceId, id, by: agent, sendAt: null, seen: [] });
    await expect(again).rejects.toMatchObject({ refusal: 'not_found' });
    expect(await desk.messages()).toEqual([]);
    const { agent: author } = teammates;
    expect(
      await db().notification.findMany({ where: { userId: author.id, kind: 'reply_not_sent' } }),
    ).toMatchObject([{ conversationId: desk.conversationId }]);
    expect(await desk.undo(id)).toMatchObject({ content: 'Hello Ada' });
    expect(await hasFailed(teammates)).toBe(false);
  });

  test.for([
    ['that can still be undone', async () => {}],
    [
      'that was refused',
      async (id: string) =>
        void (await db().pendingReply.update({ where: { id }, data: { problem: 'No.' } })),
    ],
  ] as const)(
    'shows a reply %s in the target, without its recipients, and never sends it as it is',
    async ([, before], { teammates, desk }) => {
      const copies = { cc: ['tom@holt.test'], bcc: ['boss@holt.test'] };
      const id = await desk.hold('Hello Ada', teammates.agent, randomUUID(), copies);
      await db().pendingReply.update({ where: { id }, data: { mailTo: ['billing@acme.test'] } });
      await before(id);
      const source = desk.conversationId;
      desk.conversationId = await desk.mergeIntoNew();
      expect(await desk.pending()).toMatchObject([
        { id, problem: expect.stringContaining('was merged into this one'), cc: [], bcc: [] },
      ]);
      expect(await db().pendingReply.findMany({ where: { id } })).toMatchObject([{ mailTo: [] }]);
      expect(await hasFailed(teammates)).toBe(true);
      await sendPendingReply(id);
      expect(
        await db().message.count({ where: { conversationId: { in: [source, desk.conversationId] } } }),
      ).toBe(0);
      expect(await desk.undo(id)).toMatchObject({ content: 'Hello Ada', cc: [], bcc: [] });
      expect(await hasFailed(teammates)).toBe(false);
    },
  );

  test('and sending it at the same time: the reply is sent to its contact, or not at all', async ({
    desk,
  }) => {
    for (let round = 0; round < 10; round += 1) {
      await desk.openConversation();
      const [id, source] = [await schedule(desk), desk.conversationId];
      const [target] = await Promise.all([desk.mergeIntoNew(), sendPendingReply(id)]);
      const sent = (await desk.messages()).length;
      desk.conversationId = target;
      expect(await desk.messages()).toEqual([]);
      const waits = await db().pendingReply.count({ where: { id, problem: { not: null } } });
      expect(sent + waits, source).toBe(1);
    }
  });
});

test.for([
  ['whatsapp', 20, 3, true],
  ['whatsapp', 20, 5, false],
  ['messenger', 20, 5, true],
  ['instagram', 6 * 24, 48, false],
  ['email', 300 * 24, 48, true],
] as const)(
  'on %s, %i hours after the contact wrote, a reply in %i hours is accepted: %s',
  async ([channel, hoursAgo, hours, isAccepted], { teammates: { workspaceId, agent }, desk }) => {
    await contactWrites(workspaceId, desk);
    const createdAt = inHours(-hoursAgo);
    const where = { conversationId: desk.conversationId };
    await db().message.updateMany({ where, data: { createdAt } });
    await db().conversation.update({ where: { id: desk.conversationId }, data: { channel } });
    const held = desk.hold('Hello', agent, randomUUID(), { sendAt: inHours(hours) });
    if (isAccepted) await held;
    else
      await expect(held).rejects.toMatchObject({
        errors: { sendAt: [expect.stringContaining('accepts replies only')] },
      });
  },
);

describe('changing the time of a reply', () => {
  test('sends it at the new time only', async ({ teammates: { workspaceId, agent: by }, desk }) => {
    const id = await schedule(desk);
    const sendAt = inHours(48);
    const { id: next } = await rescheduleReply({ workspaceId, id, by, sendAt, seen: [] });
    await sendPendingReply(id);
    expect(await desk.messages()).toEqual([]);
    expect((await runTimes()).at(-1)).toBeCloseTo(sendAt.getTime() / 1000, -1);
    await sendPendingReply(next);
    expect(await desk.messages()).toHaveLength(1);
  });

  test('to now gives its author the time to undo it', async ({
    teammates: { workspaceId, agent: by },
    desk,
  }) => {
    const id = await schedule(desk);
    const { id: next } = await rescheduleReply({ workspaceId, id, by, sendAt: null, seen: [] });
    expect(await desk.pending()).toMatchObject([
      { id: next, laterAt: null, msLeft: expect.closeTo(5_000, -4) },
    ]);
    expect(await desk.undo(next)).toMatchObject({ content: 'Hello Ada' });
  });

  test('is refused to others, for other workspaces, and once it was sent', async ({
    teammates: { workspaceId, agent, owner },
    desk,
  }) => {
    const id = await schedule(desk);
    const change = (by: typeof agent, of = workspaceId) =>
      rescheduleReply({ workspaceId: of, id, by, sendAt: null, seen: [] });
    await expect(change(owner)).rejects.toMatchObject({
      refusal: 'forbidden',
      message: 'Only Aggie Agent can change when this reply is sent.',
    });
    const GONE = { refusal: 'not_found', message: expect.stringContaining('no longer scheduled') };
    await expect(change(agent, (await makeTeammates()).workspaceId)).rejects.toMatchObject(GONE);
    await sendPendingReply(id);
    await expect(change(agent)).rejects.toMatchObject(GONE);
  });

  test('and sending it at the same time: it is sent once, or waits under its new time', async ({
    teammates: { workspaceId, agent: by },
    desk,
  }) => {
    for (let round = 0; round < 10; round += 1) {
      await desk.openConversation();
      const id = await schedule(desk);
      const [changed] = await Promise.allSettled([
        rescheduleReply({ workspaceId, id, by, sendAt: inHours(5), seen: [] }),
        sendPendingReply(id),
      ]);
      const waits = changed.status === 'fulfilled' ? 1 : 0;
      expect(await desk.pending()).toHaveLength(waits);
      expect(await desk.messages()).toHaveLength(1 - waits);
    }
  });
});

describe('the view Scheduled', () => {
  test('lists conversations with such a reply in any status, with the time of the next one', async ({
    teammates,
    desk,
  }) => {
    const [later, first] = [inHours(30), inHours(2)];
    await desk.hold('Later', teammates.agent, randomUUID(), { sendAt: later });
    const id = await desk.hold('First', teammates.agent, randomUUID(), { sendAt: first });
    await db().conversation.update({ where: { id: desk.conversationId }, data: { status: 'solved' } });
    expect(await listed(teammates)).toEqual([
      [desk.conversationId, expect.closeTo(first.getTime() / 1000, -1)],
    ]);
    await sendPendingReply(id);
    expect(await listed(teammates)).toEqual([
      [desk.conversationId, expect.closeTo(later.getTime() / 1000, -1)],
    ]);
    for (const pending of await desk.pending()) await desk.undo(pending.id);
    expect(await listed(teammates)).toEqual([]);
  });

  test('does not list a reply in its time to be undone, or a failed one', async ({ teammates, desk }) => {
    await desk.hold();
    const id = await schedule(desk);
    await contactWrites(teammates.workspaceId, desk);
    await sendPendingReply(id);
    expect(await listed(teammates)).toEqual([]);
  });
});

function schedule(desk: Desk): Promise<string> {
  return desk.hold('Hello Ada', undefined, undefined, { sendAt: inHours(1) });
}

/** Adds a message of the contact and returns its id. */
async function contactWrites(
  workspaceId: string,
  { conversationId }: Desk,
  { automatic = false } = {},
): Promise<string> {
  const conversation = await db().conversation.findUniqueOrThrow({
    where: { id: conversationId },
    include: { contact: true },
  });
  const fields = { name: 'Ada', email: conversation.contact?.email ?? undefined };
  const received = await receiveMessage(
    ...incoming(workspaceId, {
      conversationId,
      contact: { fields },
      channel: conversation.channel,
      automatic,
    }),
  );
  return received.messageId;
}

/** Returns the times of the queued jobs in seconds, in their order. */
async function runTimes(): Promise<number[]> {
  await allMoved();
  const rows = await db().$queryRaw<{ at: number }[]>`
    select extract(epoch from run_at)::float8 as at from graphile_worker.jobs
    where task_identifier = 'send-pending-reply' order by run_at`;
  return rows.map(({ at }) => at);
}

/** Returns the view's conversations with the times of their replies, in seconds. The count must agree. */
async function listed({ workspaceId, agent }: Teammates): Promise<[string, number][]> {
  const { rows } = await listInbox(db(), { filter: { workspaceId, isScheduled: true }, userId: agent.id });
  const { scheduled } = await countViews(db(), { workspaceId, userId: agent.id });
  expect(scheduled).toMatchObject({ count: rows.length });
  return rows.map(({ id, sendLaterAt }) => [id, (sendLaterAt?.getTime() ?? 0) / 1000]);
}

async function hasFailed({ workspaceId }: Teammates): Promise<boolean> {
  const { rows } = await listInbox(db(), { filter: { workspaceId, hasFailedReply: true } });
  return rows.length > 0;
}
