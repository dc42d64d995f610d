import { get, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { DOWNLOAD_TIMES } from '#server/http/files/send-attachment.ts';
import { CHUNK_BYTES } from '#server/inbox/files/database-store.ts';
import { visitorTokenHash } from '#server/inbox/web-chat/find-visitor.ts';
import { chatClient, type makeChatVisitor, viewOf } from '#test/clients/chat-client.ts';
import { newAddress, signInAs } from '#test/clients/sign-in.ts';
import { test as chatTest } from '#test/fixtures/chat-test.ts';
import { addMember, makeUser } from '#test/fixtures/factories.ts';
import { until } from '#test/fixtures/until.ts';

const test = chatTest.extend('limits', { scope: 'file' }, () => ({
  downloadTimes: { waitMs: 1_000, unreadMs: 15_000 },
}));

afterEach(closeDownloads);

test('an unread download is aborted after 30 s, and others wait for up to 15 s', () => {
  expect(DOWNLOAD_TIMES).toEqual({ waitMs: 15_000, unreadMs: 30_000 });
});

describe('an attacker who opens files and reads nothing', () => {
  test('holds three as a visitor; further ones are refused until the three are aborted', async ({
    service,
    newVisitor,
  }) => {
    const { token, fileId, request } = await makeSenderOfLarge(newVisitor);
    for (let i = 0; i < 3; i += 1)
      expect(await openUnread(service.url, pathOf(fileId), bearer(token))).toBe(200);
    const refused = await request('GET', `attachments/${fileId}`);
    expect([refused.status, refused.body]).toEqual([
      429,
      { message: 'Too many files are being opened at once. Wait until they have loaded and try again.' },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await makeSender(newVisitor, 1_000);
    expect((await other.request('GET', `attachments/${other.fileId}`)).status).toBe(200);
    await until(
      'the three are aborted',
      async () => (await request('GET', `attachments/${fileId}`)).status === 200,
    );
  });

  test('holds three per session of a teammate, and does not affect other sessions', async ({
    service,
    workspaceId,
    newVisitor,
  }) => {
    const { fileId } = await makeSenderOfLarge(newVisitor);
    const [ada, ben] = [
      await makeTeammate(service.url, workspaceId),
      await makeTeammate(service.url, workspaceId),
    ];
    const path = `/attachments/${fileId}`;
    for (let i = 0; i < 3; i += 1)
      expect(await openUnread(service.url, path, { cookie: ada.cookie })).toBe(200);
    expect(await openUnread(service.url, path, { cookie: ben.cookie })).toBe(200);
    expect(await openUnread(service.url, path, { cookie: ada.cookie })).toBe(429);
  });

  test('costs little memory, even with sixty downloads', async ({ service, newVisitor }) => {
    const senders = await Promise.all(Array.from({ length: 20 }, () => makeSenderOfLarge(newVisitor, 5)));
    const before = process.memoryUsage().arrayBuffers;
    for (const { token, fileId } of senders) {
      for (let i = 0; i < 3; i += 1)
        expect(await openUnread(service.url, pathOf(fileId), bearer(token))).toBe(200);
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    // Unreferenced memory that is not collected yet does not count.
    collectGarbage();
    expect((process.memoryUsage().arrayBuffers - before) / MB).toBeLessThan(100);
  });
});

describe('a download', () => {
  test('of six pictures on one page succeeds for each, three at a time', async ({ newVisitor }) => {
    const { request, fileId } = await makeSender(newVisitor, 500_000);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => request('GET', `attachments/${fileId}`)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  test('is complete and has its length, with HEAD and GET', async ({ service, workspaceId, newVisitor }) => {
    const { fileId } = await makeSender(newVisitor, 700_001);
    const { cookie } = await makeTeammate(service.url, workspaceId);
    const request = (method: string) =>
      fetch(`${service.url}/attachments/${fileId}`, { method, headers: { cookie } });
    const head = await request('HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '700001']);
    const response = await request('GET');
    expect(response.headers.get('content-length')).toBe('700001');
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.alloc(700_001, 'file'))).toBe(true);
  });

  test('of a file with a missing part is cut, so that it does not seem complete', async ({
    service,
    workspaceId,
    newVisitor,
  }) => {
    const { fileId } = await makeSender(newVisitor, 700_001);
    await db().fileChunk.deleteMany({ where: { fileId, position: 2 } });
    const { cookie } = await makeTeammate(service.url, workspaceId);
    const response = await fetch(`${service.url}/attachments/${fileId}`, { headers: { cookie } });
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test('of a file without content is a server error', async ({ service, workspaceId, newVisitor }) => {
    const { fileId } = await makeSender(newVisitor, 1_000);
    await db().fileChunk.deleteMany({ where: { fileId } });
    const { cookie } = await makeTeammate(service.url, workspaceId);
    expect((await fetch(`${service.url}/attachments/${fileId}`, { headers: { cookie } })).status).toBe(500);
  });

  test('is counted, and refused to a teammate with too many', async ({
    service,
    workspaceId,
    newVisitor,
  }) => {
    const { fileId } = await makeSender(newVisitor, 1_000);
    const { id, cookie } = await makeTeammate(service.url, workspaceId);
    await consumeLimit('attachment', id, 1_000);
    const response = await fetch(`${service.url}/attachments/${fileId}`, { headers: { cookie } });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the reads of a visitor are counted', () => {
  const TOO_MUCH = { status: 429, body: { message: expect.stringMatching(/^Too many requests at once/) } };

  test('per visitor', async ({ service, newVisitor }) => {
    const { token, fileId } = await makeSender(newVisitor, 1_000);
    const { request } = chatClient(service.url, { token });
    const key = Buffer.from(visitorTokenHash(token) ?? []).toString('base64url');
    await consumeLimit('chat_read', key, 1_000);
    expect(await request('GET', 'conversation')).toMatchObject(TOO_MUCH);
    expect(await request('GET', 'live')).toMatchObject(TOO_MUCH);
    expect(await request('GET', `attachments/${fileId}`)).toMatchObject(TOO_MUCH);
  });

  test('per IP address, even with an unknown token', async ({ service }) => {
    const address = newAddress();
    await consumeLimit('chat_read_address', address, 10_000);
    const { request } = chatClient(service.url, { token: `kzv_${'A'.repeat(43)}`, address });
    expect(await request('GET', 'conversation')).toMatchObject(TOO_MUCH);
  });
});

const MB = 1024 * 1024;
const unread = new Set<IncomingMessage>();
const large = new Set<string>();

/** Creates a visitor who has sent a file. */
async function makeSender(newVisitor: NewVisitor, bytes: number) {
  const visitor = await newVisitor();
  const files = [new File([Buffer.alloc(bytes, 'file')], 'a.bin')];
  const [attachment] = viewOf(await visitor.write({ files })).messages[0]?.attachments ?? [];
  if (!attachment) throw new Error('No file was stored.');
  return { ...visitor, fileId: attachment.id };
}

/** Creates a visitor with a large file: its first chunk is sent, and repeated in the database. */
async function makeSenderOfLarge(newVisitor: NewVisitor, megabytes = 10) {
  const sender = await makeSender(newVisitor, CHUNK_BYTES);
  const id = sender.fileId;
  large.add(id);
  const sizeBytes = megabytes * MB;
  await db().$executeRaw`
    insert into file_chunks (file_id, position, content)
    select file_id, n, content from file_chunks, generate_series(1, ${sizeBytes / CHUNK_BYTES - 1}::int) n
    where file_id = ${id}::uuid`;
  await db().storedFile.update({ where: { id }, data: { sizeBytes } });
  await db().attachment.update({ where: { id }, data: { sizeBytes } });
  return sender;
}

async function makeTeammate(url: string, workspaceId: string) {
  const user = await makeUser();
  await addMember(workspaceId, user.id, 'viewer');
  return { id: user.id, cookie: await signInAs(url, user) };
}

/** Requests a file, receives the headers, and reads nothing of the body. */
async function openUnread(url: string, path: string, headers: Record<string, string>): Promise<number> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers: { 'x-forwarded-for': newAddress(), ...headers }, agent: false };
    get(`${url}${path}`, options, resolve).on('error', reject);
  });
  response.on('error', () => undefined);
  unread.add(response);
  return response.statusCode ?? 0;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const pathOf = (fileId: string) => `/api/chat/attachments/${fileId}`;

type NewVisitor = () => ReturnType<typeof makeChatVisitor>;

async function closeDownloads(): Promise<void> {
  for (const response of unread) response.destroy();
  unread.clear();
  // All rows are searched for secrets after the tests, so large copies are removed.
  await db().fileChunk.deleteMany({ where: { fileId: { in: [...large] }, position: { gt: 0 } } });
  large.clear();
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
