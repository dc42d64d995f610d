import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { readFileUsage } from '#server/inbox/files/file-quota.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { visitorTokenHash } from '#server/inbox/web-chat/find-visitor.ts';
import { chatClient, makeChatVisitor, viewOf } from '#test/clients/chat-client.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { test as baseTest } from '#test/fixtures/service-test.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ FILES_QUOTA_MB: '34' }));

describe('files', () => {
  test('keep their names in any script', async ({ service, connection }) => {
    const { write } = await newVisitor(service, connection);
    const files = [file(1, 'Rechnung für Zoë 📄.pdf'), file(1, 'счёт.pdf'), file(1, '../请求.txt')];
    expect(viewOf(await write({ files })).messages[0]?.attachments.map(({ name }) => name)).toEqual([
      'Rechnung für Zoë 📄.pdf',
      'счёт.pdf',
      '请求.txt',
    ]);
  });

  test('of a repeated message are stored once, and the others are removed', async ({
    service,
    connection,
  }) => {
    const { write, see } = await newVisitor(service, connection);
    const id = randomUUID();
    const files = [file(300_000, 'a.bin'), file(1_000, 'b.bin')];
    await Promise.all([write({ id, files }), write({ id, files })]);
    await write({ id, files });
    await removeExpiredFiles();
    const [message, ...others] = (await see()).messages;
    expect(others).toEqual([]);
    expect(message?.attachments.map(({ name }) => name)).toEqual(['a.bin', 'b.bin']);
    expect(await storedFiles(connection)).toBe(2);
  });

  test('of a refused message are not stored', async ({ service, connection }) => {
    const { write } = await newVisitor(service, connection);
    expect((await write({ content: 'x'.repeat(8_001), files: [file(1_000)] })).status).toBe(422);
    expect((await write({ files: [file(10 * MB + 1)] })).status).toBe(413);
    expect((await write({ files: [file(1_000), file(0)] })).status).toBe(422);
    await removeExpiredFiles();
    expect(await storedFiles(connection)).toBe(0);
  });

  test('are refused with a sentence when the workspace’s quota is used up, and messages without files are not', async ({
    service,
    connection,
  }) => {
    for (let i = 0; i < 3; i += 1) {
      expect(
        (await (await newVisitor(service, connection)).write({ files: [file(10_000_000)] })).status,
      ).toBe(201);
    }
    const { write } = await newVisitor(service, connection);
    const sentence = 'This chat cannot accept more files right now. Send your message without files.';
    expect(await write({ files: [file(1_000_000)] })).toMatchObject({
      status: 422,
      body: { message: sentence, errors: { files: [sentence] } },
    });
    expect((await write()).status).toBe(201);
    expect((await readFileUsage(db(), connection.workspaceId)).usedBytes).toBe(30_000_000);
  });

  test('are limited by bytes for each visitor and IP address', async ({ service, connection }) => {
    const [ada, eve] = [await newVisitor(service, connection), await newVisitor(service, connection)];
    await consumeLimit('chat_file_kib', keyOf(ada.token), 1_000_000);
    expect(await ada.write({ files: [file(1_000)] })).toMatchObject({
      status: 429,
      body: { message: expect.stringMatching(/^The chat cannot accept more files for now\. Wait/) },
    });
    expect((await ada.write()).status).toBe(201);
    const address = newAddress();
    await consumeLimit('chat_file_kib_address', address, 1_000_000);
    expect(
      (await chatClient(service.url, { token: eve.token, address }).write({ files: [file(1)] })).status,
    ).toBe(429);
    expect((await eve.write({ files: [file(1_000)] })).status).toBe(201);
  });
});

const MB = 1024 * 1024;
const newVisitor = (service: { url: string }, { workspaceId }: { workspaceId: string }) =>
  makeChatVisitor(service.url, workspaceId);
const file = (bytes: number, name = 'a.bin') => new File([new Uint8Array(bytes)], name);
const keyOf = (token: string) => Buffer.from(visitorTokenHash(token) ?? []).toString('base64url');
const storedFiles = ({ workspaceId }: { workspaceId: string }) =>
  db().storedFile.count({ where: { workspaceId } });
