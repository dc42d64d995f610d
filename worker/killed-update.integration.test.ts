import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { connectNew, withChannelService } from '#test/fixtures/channel-service.ts';
import { until } from '#test/fixtures/until.ts';
import { startWorkerProcess } from '#test/servers/service-processes.ts';

const botId = randomInt(1e9);
const service = withChannelService(
  (url) => ({ TELEGRAM_API_URL: url }),
  ({ path }) =>
    path.endsWith('/getMe')
      ? { ok: true, result: { id: botId, is_bot: true, username: 'acme_bot' } }
      : path.endsWith('/getFile')
        ? { ok: true, result: { file_id: 'f', file_path: 'documents/bill.pdf' } }
        : { ok: true, result: true },
);

test('a worker killed between the provider’s 200 and the message loses no message and duplicates none', async () => {
  const account = await connectNew('telegram', { botToken: `${botId}:${'x'.repeat(35)}` });
  const secret = String(service.provider.calls.at(-1)?.body.secret_token);
  const usual = service.provider.calls.length;
  const chat = { id: 7, type: 'private' };
  const from = { id: 7, is_bot: false, first_name: 'Ada' };
  const document = { file_id: 'f', file_unique_id: 'f', file_name: 'bill.pdf', mime_type: 'application/pdf' };
  const call = (update_id: number, more: object) =>
    fetch(`${service.url}/webhooks/telegram/${account.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
      body: JSON.stringify({ update_id, message: { message_id: update_id, date: 1, chat, from, ...more } }),
    });

  service.provider.respond(({ path }) =>
    path.startsWith('/file/')
      ? 'hang'
      : { json: { ok: true, result: { file_id: 'f', file_path: 'documents/bill.pdf' } } },
  );
  const victim = await startWorkerProcess();
  expect((await call(1, { caption: 'My bill', document })).status).toBe(200);
  expect((await call(2, { text: 'Did you get it?' })).status).toBe(200);
  await until('its file is being fetched', () =>
    service.provider.calls.slice(usual).some(({ path }) => path.startsWith('/file/')),
  );
  await victim.kill();
  expect(await db().message.count({ where: { workspaceId: account.workspaceId } })).toBe(0);

  service.provider.respond(({ path }) =>
    path.startsWith('/file/')
      ? { bytes: Buffer.from('%PDF-1.4') }
      : { json: { ok: true, result: { file_id: 'f', file_path: 'documents/bill.pdf' } } },
  );
  const heir = await startWorkerProcess();
  try {
    const waiting = { accountId: account.id, processedAt: null };
    await until(
      'all mails are processed',
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
