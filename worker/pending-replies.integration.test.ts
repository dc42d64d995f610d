import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { deleteAccount } from '#server/administration/accounts/delete-account.ts';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { setRole } from '#server/administration/members/set-role.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { cancelReply } from '#server/inbox/messages/cancel-reply.ts';
import { sendPendingReply } from '#server/inbox/messages/send-pending-reply.ts';
import { PASSWORD } from '#test/clients/sign-in.ts';
import { statementsOf } from '#test/database/statements.ts';
import { brokenOff } from '#test/faults/break-off.ts';
import { allMoved, forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as baseTest, openDesk } from '#test/fixtures/reply-desk-test.ts';
import { addTeammate, makeTeammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorker } from '#worker/start-worker.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ HOOKS_CONNECT_TO: '127.0.0.1:1' }));

describe('a reply from the inbox', () => {
  test('is sent once after five seconds in its author’s name, although two workers race', async ({
    mail,
    teammates,
    desk,
  }) => {
    const workers = [await startWorker(), await startWorker()];
    try {
      const heldAt = performance.now();
      const id = await desk.hold();
      const [shown] = await desk.pending();
      const passedMs = performance.now() - heldAt;
      expect(shown).toMatchObject({ id, content: 'Hello Ada', authorName: 'Aggie Agent', isYours: true });
      expect(shown?.problem).toBeNull();
      expect(shown?.msLeft).toBeGreaterThanOrEqual(5_000 - Math.ceil(passedMs));
      expect(shown?.msLeft).toBeLessThanOrEqual(5_000);
      // Queue the same job several times for the same time.
      for (let more = 0; more < 5; more += 1) {
        await db().$executeRaw`
          select (graphile_worker.add_job('send-pending-reply', json_build_object('pendingReplyId', ${id}::text),
            run_at := now() + interval '5 seconds')).id`;
      }
      const [row] = await until('it was sent', async () => {
        const rows = await desk.messages();
        return rows[0]?.sendStatus === 'sent' && rows;
      });
      await until('all jobs are done', async () => (await queuedJobs()).length === 0);
      expect(await desk.messages()).toHaveLength(1);
      expect(row).toMatchObject({
        authorKind: 'teammate',
        authorId: teammates.agent.id,
        content: 'Hello Ada',
      });
      expect(mail.received.map(({ email }) => email.text?.trim())).toEqual(['Hello Ada']);
      expect(await desk.pending()).toEqual([]);
      const { assigneeId, aiAgentSilenced } = await db().conversation.findUniqueOrThrow({
        where: { id: desk.conversationId },
      });
      expect({ assigneeId, aiAgentSilenced }).toEqual({
        assigneeId: teammates.agent.id,
        aiAgentSilenced: true,
      });
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  });

  test('is stored with its job or not at all, and once if submitted twice', async ({ teammates, desk }) => {
    const id = await desk.hold();
    await desk.hold('Hello Ada', teammates.agent, id);
    expect(await desk.pending()).toHaveLength(1);
    expect(await jobs('send-pending-reply')).toEqual([
      { task: 'send-pending-reply', payload: { pendingReplyId: id } },
    ]);
    await forgetJobs();
    let count = 0;
    const other = randomUUID();
    await statementsOf(() => desk.hold('Another', teammates.agent, other)).then(({ length }) => {
      count = length;
    });
    await desk.undo(other);
    await forgetJobs();
    for (let at = 1; at <= count; at += 1) {
      const tried = randomUUID();
      await brokenOff(() => desk.hold('Another', teammates.agent, tried), {
        at,
        how: 'fails',
        url: settings().DATABASE_URL,
      });
      const isHeld = (await desk.pending()).some((reply) => reply.id === tried);
      expect(await jobs('send-pending-reply'), `statement ${at}`).toHaveLength(isHeld ? 1 : 0);
      if (isHeld) await desk.undo(tried);
      await forgetJobs();
    }
  });

  test('is refused if empty or too long, or if the conversation is merged or unknown', async ({
    teammates,
    desk,
  }) => {
    const invalid = (errors: object) => ({ refusal: 'invalid', errors });
    await expect(desk.hold(' \n ')).rejects.toMatchObject(invalid({ content: ['The reply is empty.'] }));
    await expect(desk.hold('😀'.repeat(8_001))).rejects.toMatchObject(
      invalid({ content: ['The reply must be at most 8,000 characters.'] }),
    );
    await expect(desk.hold('a\0b')).rejects.toMatchObject({ refusal: 'invalid' });
    await expect(desk.hold('Hello', teammates.viewer)).rejects.toMatchObject({ refusal: 'forbidden' });
    await desk.merge();
    await expect(desk.hold()).rejects.toMatchObject(
      invalid({ conversation: [expect.stringContaining('merged')] }),
    );
    desk.conversationId = randomUUID();
    await expect(desk.hold()).rejects.toMatchObject({ refusal: 'not_found' });
    expect(await queuedJobs()).toEqual([]);
  });
});

describe('undoing a reply', () => {
  test('returns the text, and nothing is sent', async ({ desk }) => {
    const id = await desk.hold('Hello  Ada\n');
    expect(await desk.undo(id)).toMatchObject({ content: 'Hello  Ada\n' });
    await sendPendingReply(id);
    expect(await desk.messages()).toEqual([]);
    expect(await desk.pending()).toEqual([]);
  });

  test('is refused after it was sent, or after a teammate took it to edit it, and says which', async ({
    teammates,
    desk,
  }) => {
    const sent = await desk.hold();
    await sendPendingReply(sent);
    await expect(desk.undo(sent)).rejects.toMatchObject({
      refusal: 'not_found',
      message: 'Too late to undo. This reply has been sent.',
    });
    const failed = await desk.hold();
    await db().pendingReply.update({ where: { id: failed }, data: { problem: 'Refused.' } });
    await desk.undo(failed, teammates.owner);
    await expect(desk.undo(failed)).rejects.toMatchObject({
      refusal: 'not_found',
      message: 'Too late to undo. A teammate is editing it.',
    });
  });

  test('is allowed only for its author, and never for another workspace', async ({ teammates, desk }) => {
    const id = await desk.hold();
    await expect(desk.undo(id, teammates.owner)).rejects.toMatchObject({
      refusal: 'forbidden',
      message: 'Only Aggie Agent can undo this reply.',
    });
    const foreign = await makeTeammates();
    const { workspaceId } = foreign;
    await expect(cancelReply({ workspaceId, id, by: teammates.agent })).rejects.toMatchObject({
      refusal: 'not_found',
    });
    expect(await desk.pending(teammates.owner.id)).toMatchObject([{ id, isYours: false }]);
  });

  test('and sending concurrently: the reply is either undone or sent, never both or neither', async ({
    desk,
  }) => {
    for (let round = 0; round < 15; round += 1) {
      const id = await desk.hold(`Round ${round}`);
      const before = (await desk.messages()).length;
      const [undone] = await Promise.allSettled([desk.undo(id), sendPendingReply(id), sendPendingReply(id)]);
      expect((await desk.messages()).length).toBe(before + (undone.status === 'fulfilled' ? 0 : 1));
    }
  });
});

describe('a pending reply becomes one message', () => {
  test('despite concurrent jobs', async ({ desk }) => {
    for (let round = 0; round < 5; round += 1) {
      const id = await desk.hold();
      await Promise.all(Array.from({ length: 6 }, () => sendPendingReply(id)));
      expect(await desk.messages()).toHaveLength(round + 1);
      expect(await jobs('send-message')).toHaveLength(round + 1);
    }
  });

  test('when retried after an interruption at any statement', async ({ desk }) => {
    const first = await desk.hold();
    const count = (await statementsOf(() => sendPendingReply(first))).length;
    for (const how of ['fails', 'is cut before', 'is cut during'] as const) {
      for (let at = 1; at <= count; at += how === 'fails' ? 1 : 3) {
        await desk.openConversation();
        await forgetJobs();
        const id = await desk.hold();
        await brokenOff(() => sendPendingReply(id), { at, how, url: settings().DATABASE_URL });
        const isThere = (await desk.messages()).length === 1;
        expect((await desk.pending()).length, `statement ${at} ${how}`).toBe(isThere ? 0 : 1);
        await sendPendingReply(id);
        expect(await desk.messages()).toMatchObject([{ content: 'Hello Ada', sendStatus: 'queued' }]);
        expect(await jobs('send-message')).toHaveLength(1);
      }
    }
  });

  test('even without a worker for a while', async ({ mail, desk }) => {
    const id = await desk.hold();
    await allMoved();
    await db().$executeRaw`update graphile_worker._private_jobs set run_at = now() - interval '1 hour'`;
    const worker = await startWorker();
    try {
      await until('it was sent', async () => (await desk.messages())[0]?.sendStatus === 'sent');
    } finally {
      await worker.stop();
    }
    expect((await desk.pending()).map((reply) => reply.id)).not.toContain(id);
    expect(mail.received).toHaveLength(1);
  });

  test('which is held if the workspace may not send email', async () => {
    const desk = await openDesk(await makeTeammates({ plan: 'starter' }));
    await sendPendingReply(await desk.hold());
    expect(await desk.messages()).toMatchObject([{ sendStatus: 'held_for_paywall' }]);
    expect(await jobs('send-message')).toEqual([]);
  });
});

describe('a reply that can no longer be sent stays, with the reason', () => {
  const notifications = (userId: string) =>
    db().notification.findMany({ where: { userId, kind: 'reply_not_sent' }, orderBy: { id: 'asc' } });
  const LEFT = 'Aggie Agent can no longer reply: they have left this workspace or are now a viewer.';
  const MERGED =
    'Its conversation was merged into this one, whose replies may go to someone else. Edit it to send it here.';

  test('in the target when its conversation was merged; its author is notified once', async ({
    teammates,
    desk,
  }) => {
    const id = await desk.hold();
    desk.conversationId = await desk.mergeIntoNew();
    await Promise.all([sendPendingReply(id), sendPendingReply(id)]);
    await sendPendingReply(id);
    expect(await desk.pending()).toMatchObject([{ id, content: 'Hello Ada', problem: MERGED }]);
    expect(await desk.messages()).toEqual([]);
    expect(await notifications(teammates.agent.id)).toMatchObject([
      { conversationId: desk.conversationId, data: { why: MERGED } },
    ]);
  });

  test('when its author became a viewer', async ({ teammates, desk }) => {
    const id = await desk.hold();
    const { workspaceId, owner, agent } = teammates;
    await setRole({ workspaceId, userId: agent.id, role: 'viewer', by: owner });
    await sendPendingReply(id);
    expect(await desk.pending()).toMatchObject([{ id, problem: LEFT }]);
    expect(await notifications(agent.id)).toHaveLength(1);
  });

  test('when its author was removed; any teammate may continue it', async ({ teammates, desk }) => {
    const id = await desk.hold('Precious words');
    const { workspaceId, owner, agent } = teammates;
    await removeMember({ workspaceId, userId: agent.id, by: owner });
    await sendPendingReply(id);
    expect(await desk.pending(owner.id)).toMatchObject([{ id, problem: LEFT, isYours: false }]);
    expect(await notifications(agent.id)).toEqual([]);
    expect(await desk.undo(id, owner)).toMatchObject({ content: 'Precious words' });
  });

  test('and becomes a note when its author’s account is deleted', async ({ teammates, desk }) => {
    await desk.hold('Precious words');
    const before = await desk.hold('Others’ words', teammates.admin);
    await deleteAccount({ user: teammates.agent, sessionId: teammates.agent.id, password: PASSWORD });
    expect((await desk.pending()).map(({ id }) => id)).toEqual([before]);
    expect(await db().note.findMany({ where: { conversationId: desk.conversationId } })).toMatchObject([
      {
        authorKind: 'automatic',
        content: 'The account of Aggie Agent was deleted before this reply was sent:\n\nPrecious words',
      },
    ]);
  });

  test('and a teammate removed while sending stays assigned to no conversation', async ({
    teammates,
    desk,
  }) => {
    for (let round = 0; round < 6; round += 1) {
      const { workspaceId, owner } = teammates;
      const leaving = await addTeammate(workspaceId, 'agent', 'Lee Leaving');
      await desk.openConversation();
      const id = await desk.hold('Bye', leaving);
      await Promise.all([sendPendingReply(id), removeMember({ workspaceId, userId: leaving.id, by: owner })]);
      const [sent, kept] = [await desk.messages(), await desk.pending(owner.id)];
      expect(sent.length + kept.length).toBe(1);
      const { assigneeId } = await db().conversation.findUniqueOrThrow({
        where: { id: desk.conversationId },
      });
      expect(assigneeId).toBeNull();
    }
  });
});

const jobs = async (task: string) => (await queuedJobs()).filter((job) => job.task === task);
