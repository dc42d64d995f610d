import { randomUUID } from 'node:crypto';
import type { JobHelpers } from 'graphile-worker';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { JobName } from '#server/core/jobs/jobs.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import type { Connection } from '#test/fixtures/factories.ts';
import { logDelivery } from '#test/fixtures/logged-deliveries.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { type TelegramTools, test as telegramTest, updateOf } from '#test/fixtures/telegram-test.ts';
import { startInboundMail } from '#test/servers/inbound-mail.ts';
import { startMailServer } from '#test/servers/mail-server.ts';
import type { ProviderServer } from '#test/servers/provider-server.ts';
import { makeInboundTasks, makeMailTasks, makeTasks } from '#worker/tasks.ts';

// The queue runs a job again when its worker died or lost the database before its end was recorded, also while the first run
// is still under way. The other jobs are run twice by the tests of their own files.

const test = telegramTest
  .extend('mailServer', { scope: 'file' }, async ({ providerServer: _ }, { onCleanup }) => {
    const server = await startMailServer();
    onCleanup(() => server.stop());
    return server;
  })
  .extend('settings', { scope: 'file' }, ({ mailServer }) => ({ SMTP_URL: mailServer.url }));

type Stage = { connection: Connection; telegram: TelegramTools; provider: ProviderServer };
type Prepared = { workspaceId: string; payload: unknown; done: () => Promise<unknown> };
/** Prepares a job, and says what its work is, however often it runs. */
type Case = {
  prepare: (stage: Stage) => Promise<Prepared>;
  leaves: { done: unknown; mails?: number; calls?: number; jobs?: JobName[] };
};

const CASES: Partial<Record<JobName | 'remove-old-notifications', Case>> = {
  'cancel-events': {
    prepare: async ({ connection }) => {
      const { workspaceId, teammate } = connection;
      const id = await makeConversation(connection);
      const delivery = await logDelivery(await makeHook(connection), { body: { conversation: { id } } });
      await removeConversation({ workspaceId, id, to: 'spam', actor: { kind: 'teammate', teammate } });
      await forgetJobs();
      const done = async () => (await db().delivery.findFirstOrThrow({ where: { id: delivery.id } })).outcome;
      return { workspaceId, payload: { workspaceId, conversationId: id }, done };
    },
    leaves: { done: 'cancelled' },
  },
  'link-contacts': {
    prepare: async ({ connection: { workspaceId } }) => {
      const domain = `${workspaceId}.test`;
      const company = await db().company.create({
        data: { workspaceId, name: 'Engines', domains: { create: { domain } } },
      });
      const email = `ada@${domain}`;
      await db().contact.create({ data: { workspaceId, email } });
      const done = () => db().contact.count({ where: { workspaceId, email, companyId: company.id } });
      return { workspaceId, payload: { workspaceId, companyId: company.id, domain }, done };
    },
    leaves: { done: 1 },
  },
  'look-up-sender': {
    prepare: async ({ connection: { workspaceId } }) => {
      const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
      const inbound = await startInboundMail();
      const raw = `From: Ada <ada@acme.test>\r\nTo: ${address}\r\nSubject: Order\r\n\r\nWhere is it?\r\n`;
      await inbound.send({ to: address, raw }).finally(() => inbound.stop());
      const [job] = (await queuedJobs()).filter(({ task }) => task === 'look-up-sender');
      const done = async () => (await queuedJobs()).filter(({ task }) => task === 'receive-mail').length;
      return { workspaceId, payload: job?.payload, done };
    },
    leaves: { done: 1, jobs: ['look-up-sender', 'receive-mail'] },
  },
  'mail-password-reset': {
    prepare: async ({ connection: { workspaceId, teammate } }) => ({
      workspaceId,
      payload: { userId: teammate.id, askedAt: new Date().toISOString() },
      done: () => db().verification.count({ where: { value: teammate.id } }),
    }),
    leaves: { done: 1, mails: 1 },
  },
  'mail-new-device': {
    prepare: async ({ connection: { workspaceId, teammate } }) => {
      const sessionId = randomUUID();
      return {
        workspaceId,
        payload: { userId: teammate.id, sessionId, at: new Date().toISOString(), ...DEVICE },
        done: () => db().verification.count({ where: { value: sessionId } }),
      };
    },
    leaves: { done: 1, mails: 1 },
  },
  'mail-address-change': {
    prepare: async ({ connection: { workspaceId, teammate } }) => {
      const change = await db().addressChange.create({
        data: {
          userId: teammate.id,
          oldEmail: teammate.email,
          newEmail: `${randomUUID()}@acme.test`,
          expiresAt: new Date(Date.now() + 60_000),
        },
      });
      const done = () => db().addressChange.count({ where: { id: change.id, mailedAt: { not: null } } });
      return { workspaceId, payload: { changeId: change.id }, done };
    },
    leaves: { done: 1, mails: 2 },
  },
  'mail-export': {
    prepare: async ({ connection: { workspaceId, teammate } }) => {
      const membership = { workspaceId_userId: { workspaceId, userId: teammate.id } };
      await db().member.update({ where: membership, data: { role: 'owner' } });
      const { id: exportId } = await db().workspaceExport.create({
        data: {
          workspaceId,
          requestedById: teammate.id,
          requestedByName: teammate.name,
          finishedAt: new Date(),
        },
      });
      const done = () => db().workspaceExport.count({ where: { id: exportId, mailedAt: { not: null } } });
      return { workspaceId, payload: { exportId }, done };
    },
    leaves: { done: 1, mails: 1 },
  },
  'mail-second-factor': {
    prepare: async ({ connection: { workspaceId, teammate } }) => {
      const changeId = randomUUID();
      return {
        workspaceId,
        payload: {
          userId: teammate.id,
          changeId,
          change: 'reset',
          at: new Date().toISOString(),
          byName: 'Olivia',
        },
        done: () => db().verification.count({ where: { value: changeId } }),
      };
    },
    leaves: { done: 1, mails: 1 },
  },
  'record-failed-sign-in': {
    prepare: async ({ connection: { workspaceId, teammate } }) => ({
      workspaceId,
      payload: { userId: teammate.id, attemptId: randomUUID(), ...DEVICE },
      done: () => db().auditEntry.count({ where: { workspaceId, kind: 'sign_in_failed' } }),
    }),
    leaves: { done: 1 },
  },
  'remove-old-notifications': {
    prepare: async ({ connection }) => {
      const { workspaceId, teammate } = connection;
      const conversationId = await makeConversation(connection);
      const at = { workspaceId, userId: teammate.id, kind: 'assigned' as const, conversationId };
      const old = new Date(Date.now() - 91 * 24 * 60 * 60 * 1_000);
      await db().notification.createMany({ data: [at, { ...at, createdAt: old }] });
      return { workspaceId, payload: {}, done: () => db().notification.count({ where: { workspaceId } }) };
    },
    leaves: { done: 1 },
  },
  'remove-test-conversation': {
    prepare: async ({ connection }) => {
      const { workspaceId } = connection;
      const conversationId = await makeConversation(connection, { isTest: true });
      const done = () => db().conversation.count({ where: { id: conversationId } });
      return { workspaceId, payload: { conversationId }, done };
    },
    leaves: { done: 0 },
  },
  'remove-workspace': {
    prepare: async ({ connection }) => {
      const { workspaceId } = connection;
      await makeConversation(connection);
      await db().workspace.update({ where: { id: workspaceId }, data: { deletedAt: new Date() } });
      const done = () => db().workspace.count({ where: { id: workspaceId } });
      return { workspaceId, payload: { workspaceId }, done };
    },
    leaves: { done: 0 },
  },
  'retry-update': {
    prepare: async ({ telegram, provider }) => {
      const bot = await telegram.connectBot();
      await telegram.receive(bot, updateOf());
      await db().message.deleteMany({ where: { workspaceId: bot.workspaceId } });
      await db().inboundUpdate.updateMany({
        where: { accountId: bot.id },
        data: { processedAt: null, attempts: 1 },
      });
      const { id } = await db().inboundUpdate.findFirstOrThrow({ where: { accountId: bot.id } });
      await forgetJobs();
      provider.calls.length = 0;
      const done = () => db().message.count({ where: { workspaceId: bot.workspaceId } });
      return { workspaceId: bot.workspaceId, payload: { updateId: id }, done };
    },
    leaves: { done: 1 },
  },
  'send-chat-message': {
    prepare: async ({ telegram, provider }) => {
      const bot = await telegram.connectBot();
      const reply = await telegram.beginAndReply(bot);
      await db().message.update({
        where: { id: reply.id },
        data: { sendStatus: 'queued', externalId: null },
      });
      await forgetJobs();
      provider.calls.length = 0;
      const done = async () => (await db().message.findUniqueOrThrow({ where: { id: reply.id } })).sendStatus;
      return { workspaceId: bot.workspaceId, payload: { messageId: reply.id }, done };
    },
    leaves: { done: 'sent', calls: 1 },
  },
  'send-message': {
    prepare: async ({ connection }) => {
      const { workspaceId, teammate } = connection;
      const conversationId = await makeConversation(connection);
      const { id: messageId } = await db().message.create({
        data: {
          workspaceId,
          conversationId,
          direction: 'outbound',
          authorKind: 'teammate',
          authorId: teammate.id,
          content: 'On its way.',
          sendStatus: 'queued',
        },
      });
      const done = async () =>
        (await db().message.findUniqueOrThrow({ where: { id: messageId } })).sendStatus;
      return { workspaceId, payload: { messageId }, done };
    },
    leaves: { done: 'sent', mails: 1 },
  },
};

test.for(Object.entries(CASES))(
  '%s does its work once, however often it runs',
  async ([name, { prepare, leaves }], { connection, telegram, provider, mailServer }) => {
    await forgetJobs();
    mailServer.received.length = 0;
    const { workspaceId, payload, done } = await prepare({ connection, telegram, provider });
    const before = mailServer.received.length;
    const run = async () => TASKS[name]?.(payload, HELPERS);
    // A run may refuse to work beside another one: its job is then tried again.
    await Promise.allSettled([run(), run()]);
    await run();
    expect(await done()).toEqual(leaves.done);
    const rows = await rowsOfWorkspace(workspaceId);
    await run();
    expect(await done()).toEqual(leaves.done);
    expect(await rowsOfWorkspace(workspaceId)).toEqual(rows);
    expect(mailServer.received.slice(before).map(({ to, email }) => [to, email.subject])).toHaveLength(
      leaves.mails ?? 0,
    );
    expect(provider.calls).toHaveLength(leaves.calls ?? 0);
    expect((await queuedJobs()).map(({ task }) => task).toSorted()).toEqual(leaves.jobs ?? []);
  },
);

const TASKS = { ...makeTasks(), ...makeMailTasks(), ...makeInboundTasks() };
const DEVICE = { device: 'Chrome on Windows', address: '192.0.2.1' };
/** No task uses them. */
const HELPERS = {} as JobHelpers;
