import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { eventsToFanOut } from '#test/database/recorded-events.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';

test.beforeEach(async ({ service: _ }) => forgetJobs());

test('the message is saved with the conversation and queued to be sent', async ({ service, connection }) => {
  const content = ' \n Hello Ada,\n\n  your order 😀 is on its way. \n';
  const { message } = await create(service, connection, content);
  expect(message).toMatchObject({
    workspaceId: connection.workspaceId,
    content,
    direction: 'outbound',
    authorKind: 'workflow',
    authorId: connection.teammate.id,
    authorName: connection.teammate.name,
    connectionId: connection.id,
    attachmentsCount: 0,
    sendStatus: 'queued',
    deliveryError: null,
    sendStartedAt: null,
  });
  expect(await sendJobs()).toEqual([{ task: 'send-message', payload: { messageId: message?.id } }]);
});

test('events and the message’s job are committed with the conversation', async ({ service, connection }) => {
  await create(service, connection);
  const events = await db().event.findMany({
    where: { workspaceId: connection.workspaceId },
    orderBy: { id: 'asc' },
  });
  expect(events).toHaveLength(3);
  expect(await eventsToFanOut()).toEqual(events.map(({ id }) => id));
});

test.for(heldWorkspaces())(
  'the message is held and not queued %s, and the response does not show that',
  async ([_when, make], { service }) => {
    const { response, message } = await create(service, await makeConnection({ workspaceId: await make() }));
    expect(message).toMatchObject({ sendStatus: 'held_for_paywall', deliveryError: null });
    expect(await sendJobs()).toEqual([]);
    const { response: sent } = await create(service, await makeConnection());
    expect(Object.keys(response as object)).toEqual(Object.keys(sent as object));
    expect(JSON.stringify(response)).not.toContain('held');
  },
);

test.for(['growth', 'business', 'scale'] as const)(
  'the message is queued on %s with a verified domain',
  async (plan, { service }) => {
    const { message } = await create(service, await makeConnection({ plan }));
    expect(message?.sendStatus).toBe('queued');
    expect(await sendJobs()).toHaveLength(1);
  },
);

test('when the job queue fails, the call returns 500 and stores nothing', async ({ api, connection }) => {
  await db().$executeRaw`alter table job_outbox rename to job_outbox_gone`;
  const { status, body } = await post(api);
  expect({ status, body }).toEqual({
    status: 500,
    body: { message: 'Something went wrong on our side. Try again later.' },
  });
  expect(await rows(connection)).toEqual([0, 0, 0, 0, 0]);
  await db().$executeRaw`alter table job_outbox_gone rename to job_outbox`;
  expect((await post(api)).status).toBe(201);
  expect(await rows(connection)).toEqual([1, 1, 1, 2, 3]);
});

test('when events cannot be recorded, neither a row nor a job is stored', async ({ api, connection }) => {
  const before = await rows(connection);
  const jobs = await queuedJobs();
  await db().$executeRaw`alter table events rename to events_gone`;
  const { status } = await post(api);
  await db().$executeRaw`alter table events_gone rename to events`;
  expect(status).toBe(500);
  expect(await rows(connection)).toEqual(before);
  expect(await queuedJobs()).toEqual(jobs);
});

const post = (api: Api, content = 'Hello Ada') =>
  api('POST', '/conversations', { to_email: 'ada@example.com', subject: 'Order', content });

async function create(service: { url: string }, { accessToken }: Connected, content = 'Hello Ada') {
  const response = await post(apiClient(service.url, accessToken), content);
  expect(response.status).toBe(201);
  const { id } = response.body as { id: string };
  const [message, ...more] = await db().message.findMany({ where: { conversationId: id } });
  expect(more).toEqual([]);
  return { response: response.body, message };
}

const sendJobs = async () => (await queuedJobs()).filter(({ task }) => task === 'send-message');

/** Workspaces whose email is held, each with the condition and a function that creates it. */
function heldWorkspaces(): [string, () => Promise<string>][] {
  return [
    ['on Starter', async () => (await makeWorkspace({ plan: 'starter' })).id],
    [
      'on Starter with a verified domain',
      async () => (await makeWorkspace({ plan: 'starter', verified: true })).id,
    ],
    ['on Growth without a verified domain', async () => (await makeWorkspace({ verified: false })).id],
    [
      'when the default mailbox is not on the verified domain',
      async () => {
        const { id } = await makeWorkspace();
        await db().mailbox.updateMany({ where: { workspaceId: id }, data: { emailDomainId: null } });
        return id;
      },
    ],
    [
      'when only another mailbox is on a verified domain',
      async () => {
        const { id } = await makeWorkspace();
        await db().mailbox.updateMany({ where: { workspaceId: id }, data: { isDefault: false } });
        const data = { workspaceId: id, address: `default@${id}.test`, name: 'Default', isDefault: true };
        await db().mailbox.create({ data });
        return id;
      },
    ],
    [
      'without a mailbox',
      async () => {
        const { id } = await makeWorkspace();
        await db().mailbox.deleteMany({ where: { workspaceId: id } });
        return id;
      },
    ],
  ];
}

/** Counts the rows that a new conversation creates. */
function rows({ workspaceId }: Connected): Promise<number[]> {
  const where = { workspaceId };
  return Promise.all([
    db().contact.count({ where }),
    db().conversation.count({ where }),
    db().message.count({ where }),
    db().timelineEntry.count({ where }),
    db().event.count({ where }),
  ]);
}
