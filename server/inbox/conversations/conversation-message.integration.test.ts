import { beforeEach, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { eventsToFanOut } from '#test/database/recorded-events.ts';
import { makeConnection, makeWorkspace } from '#test/fixtures/factories.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
beforeEach(forgetJobs);

type Connected = Awaited<ReturnType<typeof makeConnection>>;

async function create({ accessToken }: Connected, content = 'Hello Ada') {
  const body = { to_email: 'ada@example.com', subject: 'Order', content };
  const response = await apiClient(service.url, accessToken)('POST', '/conversations', body);
  expect(response.status).toBe(201);
  const { id } = response.body as { id: string };
  const [message, ...more] = await db().message.findMany({ where: { conversationId: id } });
  expect(more).toEqual([]);
  return { response: response.body, message };
}

const sendJobs = async () => (await queuedJobs()).filter(({ task }) => task === 'send-message');

test('the message is saved with the conversation and queued to be sent', async () => {
  const connection = await makeConnection();
  const content = ' \n Hello Ada,\n\n  your order 😀 is on its way. \n';
  const { message } = await create(connection, content);
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

test('events and the message’s job are committed with the conversation', async () => {
  const connection = await makeConnection();
  await create(connection);
  const events = await db().event.findMany({
    where: { workspaceId: connection.workspaceId },
    orderBy: { id: 'asc' },
  });
  expect(events).toHaveLength(3);
  expect(await eventsToFanOut()).toEqual(events.map(({ id }) => id));
});

const HELD: [string, () => Promise<string>][] = [
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

test.each(HELD)(
  'the message is held and not queued %s, and the response does not show that',
  async (_when, make) => {
    const { response, message } = await create(await makeConnection({ workspaceId: await make() }));
    expect(message).toMatchObject({ sendStatus: 'held_for_paywall', deliveryError: null });
    expect(await sendJobs()).toEqual([]);
    const { response: sent } = await create(await makeConnection());
    expect(Object.keys(response as object)).toEqual(Object.keys(sent as object));
    expect(JSON.stringify(response)).not.toContain('held');
  },
);

test.each(['growth', 'business', 'scale'] as const)(
  'the message is queued on %s with a verified domain',
  async (plan) => {
    const { message } = await create(await makeConnection({ plan }));
    expect(message?.sendStatus).toBe('queued');
    expect(await sendJobs()).toHaveLength(1);
  },
);
