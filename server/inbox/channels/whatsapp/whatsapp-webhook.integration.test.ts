import { describe, expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { disconnectAccount } from '#server/inbox/channels/accounts/disconnect-account.ts';
import { processUpdates } from '#server/inbox/provider-updates/process-updates.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { messagesIn, metaId, replyIn, sign } from '#test/fixtures/meta.ts';
import { reactionsIn } from '#test/fixtures/reactions-in.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { change, contacts, messageOf, test, webhook, written } from '#test/fixtures/whatsapp-test.ts';

describe('an attacker who calls the webhook', () => {
  test.for([
    ['without a signature', () => ({})],
    ['with a wrong signature', () => ({ 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })],
    ['with a SHA-1 signature', () => ({ 'x-hub-signature': `sha1=${'0'.repeat(40)}` })],
  ] as const)('%s is refused, and nothing is stored', async ([_how, headers], { whatsapp }) => {
    const account = await whatsapp.connect();
    expect(await whatsapp.call(account, written(account), headers())).toBe(401);
    expect(await db().inboundUpdate.count({ where: { accountId: account.id } })).toBe(0);
  });

  test('with the body changed after signing is refused', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    const signature = sign(JSON.stringify(written(account)), account.appSecret);
    expect(await whatsapp.call(account, written(account), { 'x-hub-signature-256': signature })).toBe(401);
  });

  test('with the secret of another account is refused', async ({ whatsapp }) => {
    const [account, other] = [await whatsapp.connect(), await whatsapp.connect()];
    expect(await whatsapp.call({ ...account, appSecret: other.appSecret }, written(account))).toBe(401);
  });

  test('cannot write into another number through their own webhook address', async ({ whatsapp }) => {
    const [victim, attacker] = [await whatsapp.connect(), await whatsapp.connect()];
    expect(await whatsapp.call(attacker, written(victim))).toBe(200);
    await Promise.all([processUpdates(victim.id), processUpdates(attacker.id)]);
    expect([...(await messagesIn(victim)), ...(await messagesIn(attacker))]).toEqual([]);
    expect(await db().inboundUpdate.count({ where: { accountId: { in: [victim.id, attacker.id] } } })).toBe(
      0,
    );
  });
});

describe('an attacker who calls the webhook address of a disconnected account', () => {
  test('cannot write into another number', async ({ whatsapp }) => {
    const [victim, attacker] = [await whatsapp.connect(), await whatsapp.connect()];
    await disconnectAccount({
      workspaceId: attacker.workspaceId,
      accountId: attacker.id,
      by: attacker.by,
    });
    expect(await whatsapp.call(attacker, written(victim))).toBe(404);
    expect(await whatsapp.call(attacker, written(victim), {})).toBe(404);
    expect(await whatsapp.call(attacker, written(attacker))).toBe(404);
    expect(await whatsapp.call(attacker, 'no json')).toBe(404);
    const accountId = { in: [victim.id, attacker.id] };
    expect(await db().inboundUpdate.count({ where: { accountId } })).toBe(0);
  });
});

test('two numbers of one app share an address, and each receives its own messages', async ({ whatsapp }) => {
  const first = await whatsapp.connect();
  const second = await whatsapp.connect({ appSecret: first.appSecret });
  const body = webhook(
    ...[first, second].flatMap((each) => written(each).entry.flatMap(({ changes }) => changes)),
  );
  expect(await whatsapp.call(first, body)).toBe(200);
  await Promise.all([processUpdates(first.id), processUpdates(second.id)]);
  expect(await messagesIn(first)).toHaveLength(1);
  expect(await messagesIn(second)).toHaveLength(1);
});

test('a number of the same app still receives at the address of a disconnected one, which receives nothing', async ({
  whatsapp,
}) => {
  const gone = await whatsapp.connect();
  const other = await whatsapp.connect({ appSecret: gone.appSecret });
  await disconnectAccount({ workspaceId: gone.workspaceId, accountId: gone.id, by: gone.by });
  const body = webhook(
    ...[gone, other].flatMap((each) => written(each).entry.flatMap(({ changes }) => changes)),
  );
  expect(await whatsapp.call(gone, body)).toBe(200);
  await Promise.all([processUpdates(gone.id), processUpdates(other.id)]);
  expect(await messagesIn(gone)).toEqual([]);
  expect(await messagesIn(other)).toHaveLength(1);
  expect(await db().inboundUpdate.count({ where: { accountId: gone.id } })).toBe(0);
});

test.for([
  ['the sender', { from: '1650\0' }],
  ['the user', { from: undefined, from_user_id: 'US.1\0' }],
  ['the message', { id: 'wamid.\0' }],
] as const)(
  'a signed body with U+0000 in the id of %s is dropped with one log line and not retried',
  async ([_id, input], { whatsapp }) => {
    const account = await whatsapp.connect();
    const warned = vi.spyOn(log(), 'warn').mockClear();
    await whatsapp.receive(account, webhook(change(account, { messages: [messageOf(input)] })));
    expect(await db().inboundUpdate.findMany({ where: { accountId: account.id } })).toMatchObject([
      { attempts: 1, error: null, processedAt: expect.any(Date) },
    ]);
    expect(await messagesIn(account)).toEqual([]);
    expect(warned.mock.calls.map(([, event]) => event)).toEqual(['update.malformed']);
    warned.mockRestore();
  },
);

test('a signed body for a number with U+0000 gets 200 and is ignored', async ({ whatsapp }) => {
  const account = await whatsapp.connect();
  expect(await whatsapp.call(account, written({ externalId: `${metaId()}\0` }))).toBe(200);
});

test('a signed body that is not JSON gets 400, and a body without updates gets 200', async ({ whatsapp }) => {
  const account = await whatsapp.connect();
  expect(await whatsapp.call(account, 'no json')).toBe(400);
  for (const body of [[], 7, null, {}, { entry: 'x' }, written({ externalId: metaId() })]) {
    expect(await whatsapp.call(account, body)).toBe(200);
  }
  expect(await db().inboundUpdate.count({ where: { accountId: account.id } })).toBe(0);
});

test('a reaction is shown at its message, theirs or ours, and reopens nothing', async ({ whatsapp }) => {
  const account = await whatsapp.connect();
  const message = messageOf();
  await whatsapp.receive(account, webhook(change(account, { contacts, messages: [message] })));
  await replyIn(account);
  const ours = (await messagesIn(account)).at(-1)?.externalId?.split(':').at(-1) ?? '';
  await db().conversation.updateMany({
    where: { workspaceId: account.workspaceId },
    data: { status: 'solved', resolvedAt: new Date() },
  });
  const react = (id: string, emoji?: string) =>
    whatsapp.receive(
      account,
      written(account, { type: 'reaction', text: undefined, reaction: { message_id: id, emoji } }),
    );
  const events = await recordedEvents(account.workspaceId);
  await react(message.id, '👍');
  await react(ours, '🙏');
  expect(await reactionsIn(account)).toEqual(['Sheena Nelson 👍', 'Sheena Nelson 🙏']);
  await react(message.id, '❤️');
  await react(ours);
  expect(await reactionsIn(account)).toEqual(['Sheena Nelson ❤️']);
  expect(await messagesIn(account)).toHaveLength(2);
  expect(await recordedEvents(account.workspaceId)).toEqual(events);
  expect(
    await db().conversation.count({ where: { workspaceId: account.workspaceId, status: 'solved' } }),
  ).toBe(1);
});

test('a message is shown with what it answers, that it was forwarded, and the ad that led to it', async ({
  whatsapp,
}) => {
  const account = await whatsapp.connect();
  const referral = {
    headline: 'Half price',
    source_url: 'https://fb.example/1',
    source_id: '7',
    source_type: 'ad',
  };
  await whatsapp.receive(account, written(account, { referral, context: { forwarded: true } }));
  await replyIn(account, 'In blue, too?');
  const ours = (await messagesIn(account)).at(-1)?.externalId?.split(':').at(-1);
  const answer = (id?: string) => written(account, { text: { body: 'yes' }, context: { from: '1', id } });
  await whatsapp.receive(account, answer(ours));
  await whatsapp.receive(account, answer('wamid.unknown'));
  const [{ conversationId } = { conversationId: '' }] = await messagesIn(account);
  const opened = await (await (await signInTeammate(account.by))()).conversations.get({
    id: conversationId,
  });
  const shown = opened?.conversation.items.flatMap((item) =>
    item.kind === 'message' && item.fromContact ? [item.context] : [],
  );
  const none = { answers: null, isAboutStory: false, isForwarded: false, ad: null };
  expect(shown).toEqual([
    { ...none, isForwarded: true, ad: { title: 'Half price', source: 'https://fb.example/1' } },
    { ...none, answers: expect.objectContaining({ content: 'In blue, too?', isOurs: true, files: 0 }) },
    null,
  ]);
});
