import { randomInt } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { parseSecretKeys, unseal } from '#server/core/seal.ts';
import { reencryptCredentials, requireSecretsKey } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { recordStatus } from '#server/inbox/messages/record-status.ts';
import { removeOldUpdates } from '#server/inbox/provider-updates/store-update.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';
import { test } from '#test/fixtures/telegram-screens-test.ts';

describe('channel settings', () => {
  test('show each account with its address and state, and never a secret', async () => {
    const { channels, id, botToken } = await connected();
    const list = await channels.list();
    const telegram = list.find(({ channel }) => channel === 'telegram');
    expect(telegram?.fields.map(({ label }) => label)).toEqual(['Bot token']);
    expect(telegram?.accounts).toEqual([
      {
        id,
        name: '@acme_bot',
        state: 'connected',
        problem: null,
        lastReceivedAt: null,
        openStep: null,
        address: `http://inbox.test/webhooks/telegram/${id}`,
        verifyToken: null,
        failedUpdates: 0,
      },
    ]);
    expect(list.find(({ channel }) => channel === 'slack')?.fields.map(({ label }) => label)).toEqual([
      'Bot token',
      'Signing secret',
    ]);
    expect(JSON.stringify(list)).not.toContain(botToken);
  });

  test.each(['agent', 'viewer'] as const)('are refused to an attacker who is %s', async (role) => {
    const { teammates, id } = await connected();
    const channels = await screensOf(teammates, role);
    const refused = { cause: { refusal: 'forbidden' } };
    await expect(channels.list()).rejects.toMatchObject(refused);
    await expect(channels.connect({ channel: 'telegram', fields: {} })).rejects.toMatchObject(refused);
    await expect(channels.test({ accountId: id })).rejects.toMatchObject(refused);
    await expect(channels.disconnect({ accountId: id })).rejects.toMatchObject(refused);
    await expect(channels.replay({ accountId: id })).rejects.toMatchObject(refused);
  });

  test('are refused to an attacker who owns another workspace', async () => {
    const { id } = await connected();
    const channels = await screensOf(await makeTeammates(), 'owner');
    const missing = { cause: { refusal: 'not_found' } };
    await expect(channels.test({ accountId: id })).rejects.toMatchObject(missing);
    await expect(channels.disconnect({ accountId: id })).rejects.toMatchObject(missing);
  });

  test('do not list a disconnected account; both changes are in the audit log', async () => {
    const { teammates, channels, id } = await connected();
    await channels.disconnect({ accountId: id });
    expect((await channels.list()).flatMap(({ accounts }) => accounts)).toEqual([]);
    const entries = await db().auditEntry.findMany({
      where: { workspaceId: teammates.workspaceId, kind: { startsWith: 'channel_' } },
      orderBy: { createdAt: 'asc' },
    });
    expect(entries).toMatchObject([
      {
        kind: 'channel_connected',
        userId: teammates.admin.id,
        data: { channel: 'telegram', name: '@acme_bot' },
      },
      { kind: 'channel_disconnected', userId: teammates.admin.id },
    ]);
  });

  test.for([
    ['no address', 'Enter the email address that sends the form, for example web@example.com.'],
    [
      'MAILBOX',
      'is one of your mailboxes. Its emails already start a conversation with the person in Reply-To.',
    ],
    ['TEAMMATE', 'belongs to a teammate.'],
  ] as const)('refuse %s as a form, with a sentence', async ([typed, sentence]) => {
    const teammates = await makeTeammates();
    const { workspaceId } = teammates;
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
    const admin = await (await signInTeammate(teammates.admin))();
    const input =
      { MAILBOX: address.toUpperCase(), TEAMMATE: teammates.agent.email }[typed as string] ?? typed;
    await expect(admin.channels.addForm({ address: input })).rejects.toMatchObject({
      cause: { errors: { form: [expect.stringContaining(sentence)] } },
    });
    const agent = await (await signInTeammate(teammates.agent))();
    await expect(agent.channels.addForm({ address: 'web@forms.test' })).rejects.toThrow();
    expect(await db().emailForm.count({ where: { workspaceId } })).toBe(0);
  });

  test('offer only connected channels to flows', async () => {
    const { teammates } = await connected();
    const { flows } = await (await signInTeammate(teammates.owner))();
    expect((await flows.get()).channels).toEqual(['email', 'webchat', 'telegram']);
  });
});

describe('the encryption key', () => {
  test('can be replaced without downtime: credentials are encrypted again with the new key', async () => {
    const { id, botToken } = await connected();
    const [before] = settings().SECRETS_KEY ?? [];
    const [fresh] = parseSecretKeys('a fresh key for tests that is long enough');
    if (!before || !fresh) throw new Error('There is no key.');
    Object.assign(settings(), { SECRETS_KEY: [fresh, before] });
    expect(await reencryptCredentials()).toBeGreaterThan(0);
    expect(await reencryptCredentials()).toBe(0);
    const { credentials } = await db().channelAccount.findUniqueOrThrow({ where: { id } });
    expect(unseal(credentials ?? new Uint8Array(), id, [fresh])).toContain(botToken);
  });

  test('is replaced for all other accounts when one cannot be read, and the step fails until that is solved', async () => {
    const unreadable = await connected();
    const data = { credentials: Buffer.from('damaged') };
    await db().channelAccount.update({ where: { id: unreadable.id }, data });
    const { id } = await connected();
    const { SECRETS_KEY } = settings();
    Object.assign(settings(), {
      SECRETS_KEY: [...parseSecretKeys('another key for tests that is long enough'), ...(SECRETS_KEY ?? [])],
    });
    const { credentials: before } = await db().channelAccount.findUniqueOrThrow({ where: { id } });
    await expect(reencryptCredentials()).rejects.toThrow(
      'could not be encrypted with the first key of SECRETS_KEY: 1.',
    );
    const { credentials: after } = await db().channelAccount.findUniqueOrThrow({ where: { id } });
    expect(after).not.toEqual(before);
    await unreadable.channels.disconnect({ accountId: unreadable.id });
    expect(await reencryptCredentials()).toBe(0);
  });

  test('is required while a channel is connected', async () => {
    const keys = settings().SECRETS_KEY;
    await expect(requireSecretsKey()).resolves.toBeUndefined();
    Object.assign(settings(), { SECRETS_KEY: undefined });
    await expect(requireSecretsKey()).rejects.toThrow(
      'SECRETS_KEY is not set, but the database has channel credentials',
    );
    const channels = await screensOf(await makeTeammates(), 'owner');
    await expect(channels.connect({ channel: 'telegram', fields: { botToken: newToken() } })).rejects.toThrow(
      'the operator of this service first has to set SECRETS_KEY',
    );
    Object.assign(settings(), { SECRETS_KEY: keys });
  });
});

test('updates from providers are stored for 14 days', async () => {
  const { id, teammates } = await connected();
  const day = 86_400_000;
  const update = (externalId: string, age: number) => ({
    workspaceId: teammates.workspaceId,
    accountId: id,
    channel: 'telegram' as const,
    externalId,
    body: Buffer.from('{}'),
    receivedAt: new Date(Date.now() - age * day),
  });
  await db().inboundUpdate.createMany({ data: [update('old', 14.1), update('new', 13.9)] });
  expect(await removeOldUpdates()).toBe(1);
  expect(await db().inboundUpdate.findMany({ where: { accountId: id } })).toMatchObject([
    { externalId: 'new' },
  ]);
});

describe('a late delivery status', () => {
  async function sentMessage() {
    const { id: channelAccountId, teammates } = await connected();
    const { workspaceId } = teammates;
    const conversation = await db().conversation.create({
      data: { workspaceId, channel: 'whatsapp', channelAccountId },
    });
    const { id } = await db().message.create({
      data: {
        workspaceId,
        conversationId: conversation.id,
        direction: 'outbound',
        authorKind: 'teammate',
        authorId: teammates.agent.id,
        authorName: 'Aggie Agent',
        content: 'Hello',
        sendStatus: 'sent',
        externalId: `whatsapp:${workspaceId}:2`,
        providerIds: [`whatsapp:${workspaceId}:1`, `whatsapp:${workspaceId}:2`],
      },
    });
    const note = (status: 'sent' | 'failed', part: number, reason: string | null = null) =>
      recordStatus({
        workspaceId,
        channelAccountId,
        providerId: `whatsapp:${workspaceId}:${part}`,
        status,
        reason,
      });
    const read = () => db().message.findUniqueOrThrow({ where: { id } });
    const notified = () => db().notification.count({ where: { workspaceId, kind: 'message_failed' } });
    return { note, read, notified };
  }

  test('of a failure after sending is stored, and reported to the author once', async () => {
    const { note, read, notified } = await sentMessage();
    await note('failed', 1, 'The contact’s phone is off.');
    await Promise.all([note('failed', 2, 'Again.'), note('sent', 1), note('failed', 1)]);
    expect(await read()).toMatchObject({
      sendStatus: 'failed',
      deliveryError: 'The contact’s phone is off.',
    });
    expect(await notified()).toBe(1);
  });

  test('of a message that was not sent from here changes nothing', async () => {
    const { note, read } = await sentMessage();
    await note('failed', 3);
    expect(await read()).toMatchObject({ sendStatus: 'sent' });
  });
});

const newToken = () => `${randomInt(1e9)}:${'x'.repeat(35)}`;

const screensOf = async (teammates: Teammates, role: 'owner' | 'admin' | 'agent' | 'viewer') =>
  (await (await signInTeammate(teammates[role]))()).channels;

async function connected() {
  const teammates = await makeTeammates();
  const channels = await screensOf(teammates, 'admin');
  const botToken = newToken();
  const { id } = await channels.connect({ channel: 'telegram', fields: { botToken } });
  return { teammates, channels, id, botToken };
}
