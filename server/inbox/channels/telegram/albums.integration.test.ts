import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { processUpdates, retryUpdate } from '#server/inbox/provider-updates/process-updates.ts';
import { recordedEvents } from '#test/database/recorded-events.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { reactionsIn } from '#test/fixtures/reactions-in.ts';
import {
  ADA,
  botApi,
  messageOf,
  messagesOf,
  nextId,
  type TelegramTools,
  test as telegramTest,
  updateOf,
  updatesOf,
} from '#test/fixtures/telegram-test.ts';

const test = telegramTest.extend('bot', ({ provider, telegram }) => {
  provider.respond((asked) =>
    asked.path.startsWith('/file/') ? { bytes: Buffer.from('ffd8ff', 'hex') } : { json: botApi(asked) ?? {} },
  );
  return telegram.connectBot();
});

type Bot = Awaited<ReturnType<TelegramTools['connectBot']>>;

let groups = 0;

/** Returns the updates of an album with these captions, in the order of its files. */
function albumOf(captions: string[], fields: object = {}) {
  groups += 1;
  const common = { text: undefined, media_group_id: `1300000000000000${groups}`, ...fields };
  return captions.map((caption, index) =>
    updateOf({
      ...common,
      caption: caption || undefined,
      photo: [{ file_id: `p${index}`, file_unique_id: `p${index}` }],
    }),
  );
}

/** Lets the waiting parts of albums wait long enough, and processes them. */
async function processWaiting(bot: Bot): Promise<void> {
  await db().$executeRaw`
    update inbound_updates set received_at = received_at - interval '1 minute' where account_id = ${bot.id}::uuid`;
  await processUpdates(bot.id);
}

const filesOf = (messages: Awaited<ReturnType<typeof messagesOf>>) =>
  messages.map(({ content, attachmentsCount, attachments }) => [
    content,
    attachmentsCount,
    attachments.length,
  ]);

test('an album is one message with its files and texts in order, and fires one event', async ({
  bot,
  telegram,
}) => {
  await makeConnection({ workspaceId: bot.workspaceId, teammate: bot.by });
  const parts = albumOf(['My leaks', '', 'The worst one']);
  // Telegram calls in parallel and repeats calls.
  await Promise.all([...parts.toReversed(), ...parts].map((part) => telegram.call(bot, part)));
  await processUpdates(bot.id);
  expect(await messagesOf(bot)).toEqual([]);
  const jobs = (await queuedJobs()).filter(
    ({ payload }) => 'accountId' in payload && payload.accountId === bot.id,
  );
  expect(jobs).toMatchObject([{ task: 'process-updates', payload: { accountId: bot.id } }]);
  await db().$executeRaw`
    update inbound_updates set received_at = received_at - interval '1 minute' where account_id = ${bot.id}::uuid`;
  await Promise.all([processUpdates(bot.id), processUpdates(bot.id)]);
  const messages = await messagesOf(bot);
  expect(filesOf(messages)).toEqual([['My leaks\n\nThe worst one', 3, 3]]);
  const received = (await recordedEvents(bot.workspaceId)).filter(
    ({ event }) => event === 'message.received',
  );
  expect(received).toMatchObject([{ message: { attachments_count: 3 } }]);
  expect(await updatesOf(bot)).toMatchObject(Array(3).fill({ attempts: 1, error: null }));
});

test('a text that follows an album is received after it, without waiting', async ({ bot, telegram }) => {
  for (const part of [...albumOf(['One', '']), ...albumOf(['Two'])]) await telegram.call(bot, part);
  for (const part of albumOf(['Of Bob'], { chat: { id: 5, type: 'private' }, from: { ...ADA, id: 5 } }))
    await telegram.call(bot, part);
  await telegram.receive(bot, updateOf({ text: 'These are all.' }));
  const received = (await messagesOf(bot)).map(({ content }) => content);
  expect(received.filter((content) => content !== 'Of Bob')).toEqual(['One', 'Two', 'These are all.']);
  await processWaiting(bot);
  expect((await messagesOf(bot)).map(({ content }) => content)).toContain('Of Bob');
});

test('a part that arrives late, twice, joins the message without another event', async ({
  bot,
  telegram,
}) => {
  await makeConnection({ workspaceId: bot.workspaceId, teammate: bot.by });
  const [first, second, third] = albumOf(['', 'in the middle', 'at the end']);
  for (const part of [first, third]) await telegram.call(bot, part);
  await processWaiting(bot);
  await telegram.call(bot, second);
  await db().$executeRaw`
    update inbound_updates set received_at = received_at - interval '1 minute' where account_id = ${bot.id}::uuid`;
  await Promise.all([processUpdates(bot.id), processUpdates(bot.id)]);
  await telegram.call(bot, { ...second, update_id: nextId() });
  await processWaiting(bot);
  expect(filesOf(await messagesOf(bot))).toEqual([['in the middle\n\nat the end', 3, 3]]);
  const events = (await recordedEvents(bot.workspaceId)).filter(({ event }) => event === 'message.received');
  expect(events).toHaveLength(1);
});

test('an edit, an answer and a reaction find the part that they are about', async ({ bot, telegram }) => {
  const parts = albumOf(['Before', 'Second']);
  for (const part of parts) await telegram.call(bot, part);
  await processWaiting(bot);
  const [first, second] = parts.map(({ message }) => message);
  const edit = (message: object | undefined, caption: string, edit_date: number) =>
    telegram.receive(bot, { update_id: nextId(), edited_message: { ...message, caption, edit_date } });
  await edit(first, 'After', 1_700_000_200);
  await edit(second, 'Second again', 1_700_000_100);
  await edit(first, 'Too late', 1_700_000_150);
  const [album] = await messagesOf(bot);
  expect(album?.content).toBe('After\n\nSecond again');
  await telegram.receive(bot, updateOf({ reply_to_message: messageOf({ message_id: second?.message_id }) }));
  expect((await messagesOf(bot))[1]?.context).toMatchObject({ answersId: album?.id });
  const about = { chat: { id: ADA.id, type: 'private' }, message_id: second?.message_id, user: ADA, date: 1 };
  const message_reaction = { ...about, old_reaction: [], new_reaction: [{ type: 'emoji', emoji: '👍' }] };
  await telegram.receive(bot, { update_id: nextId(), message_reaction });
  expect(await reactionsIn(bot)).toEqual(['Ada Lovelace 👍']);
});

test('a forwarded album says once where it comes from', async ({ bot, telegram }) => {
  const forward_origin = { type: 'hidden_user', date: 1, sender_user_name: 'Max' };
  for (const part of albumOf(['', 'Look'], { forward_origin })) await telegram.call(bot, part);
  await processWaiting(bot);
  expect(filesOf(await messagesOf(bot))).toEqual([['[Forwarded from Max]\n\nLook', 2, 2]]);
});

test('an album with a file that cannot be fetched waits whole, and is received with it later', async ({
  bot,
  provider,
  telegram,
}) => {
  let isDown = true;
  provider.respond((asked) => {
    if (!asked.path.startsWith('/file/')) return { json: botApi(asked) ?? {} };
    return isDown && asked.path.endsWith('p1.jpg')
      ? { status: 503 }
      : { bytes: Buffer.from('ffd8ff', 'hex') };
  });
  for (const part of [...albumOf(['Two']), ...albumOf(['One', ''])]) await telegram.call(bot, part);
  await telegram.call(bot, { update_id: 1, message: { media_group_id: 'x', chat: { id: 1 } } });
  await processWaiting(bot);
  expect(filesOf(await messagesOf(bot))).toEqual([['Two', 1, 1]]);
  const waiting = (await updatesOf(bot)).filter(({ processedAt }) => processedAt === null);
  expect(waiting).toMatchObject(Array(2).fill({ attempts: 1, error: expect.any(String) }));
  const retries = (await queuedJobs()).filter(({ task }) => task === 'retry-update');
  expect(retries).toHaveLength(1);
  isDown = false;
  await retryUpdate(waiting[1]?.id ?? '');
  expect(filesOf(await messagesOf(bot))).toEqual([
    ['Two', 1, 1],
    ['One', 2, 2],
  ]);
});
