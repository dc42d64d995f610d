import { describe, expect, vi } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { log } from '#server/core/log.ts';
import { processUpdates, retryUpdate } from '#server/inbox/provider-updates/process-updates.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { reactionsIn } from '#test/fixtures/reactions-in.ts';
import {
  ADA,
  accountOf,
  messageOf,
  messagesOf,
  nextId,
  test,
  updateOf,
  updatesOf,
} from '#test/fixtures/telegram-test.ts';

test('a person’s reactions are shown at their message, and replaced by the next ones', async ({
  telegram,
}) => {
  const bot = await telegram.connectBot();
  const update = updateOf();
  await telegram.receive(bot, update);
  const react = (emojis: string[], fields: object = {}) =>
    telegram.receive(bot, {
      update_id: nextId(),
      message_reaction: {
        chat: { id: ADA.id, type: 'private' },
        message_id: update.message.message_id,
        user: ADA,
        date: 1_700_000_100,
        old_reaction: [],
        new_reaction: [...emojis.map((emoji) => ({ type: 'emoji', emoji })), { type: 'paid' }],
        ...fields,
      },
    });
  await react(['👍', '🔥']);
  await react(['🎉'], { chat: { id: ADA.id, type: 'group' } });
  expect(await reactionsIn(bot)).toEqual(['Ada Lovelace 👍', 'Ada Lovelace 🔥']);
  await react(['🔥']);
  expect(await reactionsIn(bot)).toEqual(['Ada Lovelace 🔥']);
  await react([]);
  expect(await reactionsIn(bot)).toEqual([]);
  expect(await messagesOf(bot)).toHaveLength(1);
});

test('a message is stored with the message that it answers', async ({ telegram }) => {
  const bot = await telegram.connectBot();
  const first = updateOf();
  await telegram.receive(bot, first);
  await telegram.receive(
    bot,
    updateOf({ reply_to_message: messageOf({ message_id: first.message.message_id }) }),
  );
  const [answered, answer] = await messagesOf(bot);
  expect(answer?.context).toEqual({
    answersId: answered?.id,
    isAboutStory: false,
    isForwarded: false,
    ad: null,
  });
});

test('a failing update is retried, blocks no other update, and is given up with its error', async ({
  telegram,
}) => {
  const bot = await telegram.connectBot();
  const { credentials } = await accountOf(bot);
  const setCredentials = (bytes: typeof credentials) =>
    db().channelAccount.update({ where: { id: bot.id }, data: { credentials: bytes } });
  await telegram.call(bot, updateOf());
  await setCredentials(Uint8Array.of(1));
  await processUpdates(bot.id);
  await setCredentials(credentials);
  const [failed] = await updatesOf(bot);
  expect(failed).toMatchObject({ attempts: 1, processedAt: null, error: expect.any(String) });
  await telegram.receive(bot, updateOf());
  expect(await messagesOf(bot)).toHaveLength(1);
  await setCredentials(Uint8Array.of(1));
  for (let attempt = 2; attempt <= 5; attempt += 1) await retryUpdate(failed?.id ?? '');
  expect(await db().inboundUpdate.findUnique({ where: { id: failed?.id ?? '' } })).toMatchObject({
    attempts: 5,
    processedAt: expect.any(Date),
    error: expect.any(String),
  });
});

test.for([
  { update_id: 'no number', message: 7 },
  [],
  null,
  'text',
  { update_id: 1, edited_message: messageOf({ edit_date: 1e300 }) },
])(
  'a malformed update %# with the right secret is dropped with one log line and not retried',
  async (body, { telegram }) => {
    const bot = await telegram.connectBot();
    await forgetJobs();
    const warned = vi.spyOn(log(), 'warn').mockClear();
    await telegram.receive(bot, JSON.stringify(body));
    expect(await updatesOf(bot)).toMatchObject([{ attempts: 1, processedAt: expect.any(Date) }]);
    expect((await queuedJobs()).filter(({ task }) => task === 'retry-update')).toEqual([]);
    expect(warned.mock.calls.map(([, event]) => event)).toEqual(['update.malformed']);
    warned.mockRestore();
  },
);

describe('an attacker who calls the webhook', () => {
  test.for([
    ['without the secret', ''],
    ['with another secret', 'x'.repeat(43)],
  ] as const)('%s is refused, and nothing is stored', async ([_how, secret], { telegram }) => {
    const bot = await telegram.connectBot();
    expect(await telegram.call({ ...bot, secret }, updateOf())).toBe(401);
    expect(await updatesOf(bot)).toEqual([]);
  });

  test('with the secret of another bot is refused', async ({ telegram }) => {
    const [bot, other] = [await telegram.connectBot(), await telegram.connectBot()];
    expect(await telegram.call({ ...bot, secret: other.secret }, updateOf())).toBe(401);
  });

  test.for([
    'telegram/7',
    `telegram/${crypto.randomUUID()}`,
    'telegram',
    'carrier-pigeon/7',
    'email/7',
    'webchat/7',
  ])('of an unknown account (%s) gets 404', async (path, { service }) => {
    const response = await fetch(`${service.url}/webhooks/${path}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
  });

  test('of another channel’s account gets 404', async ({ service, telegram }) => {
    const bot = await telegram.connectBot();
    const response = await fetch(`${service.url}/webhooks/slack/${bot.id}`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(404);
  });

  test('with more than 3 MB, without JSON, or with another method is refused', async ({
    service,
    telegram,
  }) => {
    const bot = await telegram.connectBot();
    expect(await telegram.call(bot, 'x'.repeat(3 * 1024 * 1024 + 1))).toBe(413);
    expect(await telegram.call(bot, 'no json')).toBe(400);
    const put = await fetch(`${service.url}/webhooks/telegram/${bot.id}`, { method: 'PUT' });
    expect({ status: put.status, allow: put.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, POST',
    });
    expect(await updatesOf(bot)).toEqual([]);
  });

  test('and guesses secrets is rate limited, and the provider’s calls are not', async ({ telegram }) => {
    const bot = await telegram.connectBot();
    const headers = { 'x-forwarded-for': newAddress() };
    const guess = () => telegram.call({ ...bot, secret: 'wrong' }, {}, headers);
    const statuses = await Promise.all(Array.from({ length: 121 }, guess));
    expect(statuses.filter((status) => status === 401)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(await telegram.call(bot, updateOf())).toBe(200);
  });
});
