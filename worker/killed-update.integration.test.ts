import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { connectNew } from '#test/fixtures/connect-new.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';
import { type ProviderCall, startProvider } from '#test/servers/provider-server.ts';
import { startWorkerProcess } from '#test/servers/service-processes.ts';

const test = serviceTest
  .extend('provider', { scope: 'file' }, async ({ settings: _ }, { onCleanup }) => {
    const provider = await startProvider();
    onCleanup(provider.stop);
    return provider;
  })
  .extend('baseSettings', { scope: 'file' }, ({ provider }) => ({ TELEGRAM_API_URL: provider.url }));

test('a worker killed between the provider’s 200 and the message loses no message and duplicates none', async ({
  service,
  provider,
}) => {
  provider.respond(botApi);
  const account = await connectNew('telegram', { botToken: `${botId}:${'x'.repeat(35)}` });
  const secret = String(provider.calls.at(-1)?.body.secret_token);
  const usual = provider.calls.length;
  const chat = { id: 7, type: 'private' };
  const from = { id: 7, is_bot: false, first_name: 'Ada' };
  const document = { file_id: 'f', file_unique_id: 'f', file_name: 'bill.pdf', mime_type: 'application/pdf' };
  const call = (update_id: number, more: object) =>
    fetch(`${service.url}/webhooks/telegram/${account.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: JSON.stringify({ update_id, message: { message_id: update_id, date: 1, chat, from, ...more } }),
    });

  provider.respond((call) => (isFile(call) ? 'hang' : botApi(call)));
  const victim = await startWorkerProcess();
  expect((await call(1, { caption: 'My bill', document })).status).toBe(200);
  expect((await call(2, { text: 'Did you get it?' })).status).toBe(200);
  await until('its file is being fetched', () => provider.calls.slice(usual).some(isFile));
  await victim.kill();
  expect(await db().message.count({ where: { workspaceId: account.workspaceId } })).toBe(0);

  provider.respond((call) => (isFile(call) ? { bytes: Buffer.from('%PDF-1.4') } : botApi(call)));
  const heir = await startWorkerProcess();
  try {
    const waiting = { accountId: account.id, processedAt: null };
    await until(
      'all updates are processed',
      async () => (await db().inboundUpdate.count({ where: waiting })) === 0,
    );
    const messages = await db().message.findMany({
      where: { workspaceId: account.workspaceId },
      orderBy: { createdAt: 'asc' },
    });
    expect(messages.map(({ content, attachmentsCount }) => [content, attachmentsCount])).toEqual([
      ['My bill', 1],
      ['Did you get it?', 0],
    ]);
  } finally {
    await heir.stop();
  }
});

const botId = randomInt(1e9);
const isFile = ({ path }: ProviderCall) => path.startsWith('/file/');

/** Responds as the Bot API does. */
function botApi({ path }: ProviderCall): { json: object } {
  if (path.endsWith('/getMe')) {
    return { json: { ok: true, result: { id: botId, is_bot: true, username: 'acme_bot' } } };
  }
  if (path.endsWith('/getFile')) {
    return { json: { ok: true, result: { file_id: 'f', file_path: 'documents/bill.pdf' } } };
  }
  return { json: { ok: true, result: true } };
}
