import { afterEach, describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import {
  BODY_BUDGET_BYTES,
  BODY_RATE,
  holdBodyBytes,
  REQUEST_RATE,
} from '#server/http/request/body-limits.ts';
import { removeExpiredFiles } from '#server/inbox/files/remove-expired-files.ts';
import { chatClient, viewOf } from '#test/clients/chat-client.ts';
import { beginUnfinished, closeRequests, MB, openRequests, sendTimed } from '#test/clients/chat-uploads.ts';
import { newAddress } from '#test/clients/sign-in.ts';
import { test as chatTest } from '#test/fixtures/chat-test.ts';
import { until } from '#test/fixtures/until.ts';

const test = chatTest.extend('settings', { scope: 'file' }, () => ({ FILES_QUOTA_MB: '30' }));

afterEach(closeRequests);

describe('an attacker who sends many bodies simultaneously', () => {
  test('holds three unfinished ones as a visitor; the next is refused, and other visitors can write', async ({
    service,
    workspaceId,
    newVisitor,
  }) => {
    const { token } = await newVisitor();
    for (let i = 0; i < 3; i += 1) beginUnfinished(service.url, token);
    await until('three are being stored', async () => (await storedFiles(workspaceId)) === 3);
    const { status, headers, body } = await beginUnfinished(service.url, token).response;
    expect([status, body]).toEqual([
      429,
      { message: expect.stringMatching(/^Too many messages are being sent from here at once\./) },
    ]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await (await newVisitor()).write({ files: [file(1_000)] })).status).toBe(201);
  });

  test('holds ten unfinished ones from one address, with any number of visitors', async ({
    service,
    workspaceId,
    newVisitor,
  }) => {
    const address = newAddress();
    for (let i = 0; i < 5; i += 1) {
      const { token } = await newVisitor();
      for (let j = 0; j < 2; j += 1) beginUnfinished(service.url, token, { address });
    }
    await until('ten are being stored', async () => (await storedFiles(workspaceId)) === 10);
    const { token } = await newVisitor();
    expect((await beginUnfinished(service.url, token, { address }).response).status).toBe(429);
    expect((await chatClient(service.url, { token }).write({ files: [file(1_000)] })).status).toBe(201);
  });

  test('frees the slots and leaves no file after aborting them', async ({
    service,
    workspaceId,
    newVisitor,
  }) => {
    const { token, write } = await newVisitor();
    for (let i = 0; i < 3; i += 1) beginUnfinished(service.url, token);
    await until('three are being stored', async () => (await storedFiles(workspaceId)) === 3);
    for (const each of openRequests) each.destroy();
    expect((await write({ files: [file(1_000)] })).status).toBe(201);
    await until('only the sent file is left', async () => {
      await removeExpiredFiles();
      return (await storedFiles(workspaceId)) === 1;
    });
  });

  test('gets a 503 with Retry-After when the process holds enough, and short messages still pass', async ({
    service,
    newVisitor,
  }) => {
    const release = await until('the bodies of earlier tests are released', async () => {
      try {
        return holdBodyBytes(BODY_BUDGET_BYTES * 0.75 - MB / 2);
      } catch {
        return undefined;
      }
    });
    const { token, write } = await newVisitor();
    const { status, headers, body } = await beginUnfinished(service.url, token).response;
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '5',
      { message: 'The service is receiving too much data at the moment. Try again in a few seconds.' },
    ]);
    expect((await write({ content: 'Short' })).status).toBe(201);
    release();
    expect((await write({ files: [file(MB)] })).status).toBe(201);
  });
});

test('a body that trickles is aborted with 408, and nothing of it is stored', async ({
  service,
  workspaceId,
  newVisitor,
}) => {
  const { token, write } = await newVisitor();
  const sending = beginUnfinished(service.url, token);
  const trickle = setInterval(() => sending.send(Buffer.alloc(100)), 500);
  const { status, body } = await sending.response.finally(() => clearInterval(trickle));
  expect([status, body]).toEqual([
    408,
    { message: 'The request came too slowly. Check your connection and send it again.' },
  ]);
  await removeExpiredFiles();
  expect(await storedFiles(workspaceId)).toBe(0);
  expect((await write()).status).toBe(201);
});

describe('an attacker on a fast network', () => {
  test('has bodies of one address stored at a limited rate, without a delay for others', async ({
    service,
    newVisitor,
  }) => {
    const address = newAddress();
    const senders = [await newVisitor(), await newVisitor()];
    const sendings = Promise.all(senders.map(({ token }) => sendTimed(service.url, token, address, 9 * MB)));
    const other = await newVisitor();
    const start = performance.now();
    expect((await other.write({ files: [file(MB)] })).status).toBe(201);
    const otherMs = performance.now() - start;
    const responses = await sendings;
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    const longest = Math.max(...responses.map(({ ms }) => ms));
    expect(longest).toBeGreaterThan(((18 * MB - BODY_RATE.burst) / BODY_RATE.perSecond) * 1_000 - 500);
    expect(otherMs).toBeLessThan(longest);
  });

  test('receives a file at most at the rate of received bodies, without a delay for others', async ({
    service,
    newVisitor,
  }) => {
    const { token, write, see } = await newVisitor();
    expect((await write({ files: [file(9 * MB)] })).status).toBe(201);
    const [attachment] = (await see()).messages.at(-1)?.attachments ?? [];
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': newAddress() };
    const start = performance.now();
    const response = await fetch(`${service.url}/api/chat/attachments/${attachment?.id}`, { headers });
    expect((await response.arrayBuffer()).byteLength).toBe(9 * MB);
    const leastMs = ((9 * MB - BODY_RATE.burst) / BODY_RATE.perSecond) * 1_000;
    expect(performance.now() - start).toBeGreaterThan(leastMs - 100);
  });

  test('has simultaneous requests started one after the other, without a delay for others', async ({
    service,
    newVisitor,
  }) => {
    const { token } = await newVisitor();
    const uploadFrom = (address: string) =>
      fetch(`${service.url}/api/chat/conversation`, {
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
      }).then(({ status }) => status);
    const address = newAddress();
    const start = performance.now();
    const many = Promise.all(Array.from({ length: 55 }, () => uploadFrom(address)));
    expect(await uploadFrom(newAddress())).toBe(200);
    const otherMs = performance.now() - start;
    expect(new Set(await many)).toEqual(new Set([200]));
    const manyMs = performance.now() - start;
    const { perSecond, burst } = REQUEST_RATE;
    expect(manyMs).toBeGreaterThan(((55 - burst) / perSecond) * 1_000 - 50);
    expect(otherMs).toBeLessThan(manyMs);
  });

  test('has refused bodies discarded at the limited rate, and gets the reason', async ({
    service,
    newVisitor,
  }) => {
    const { token } = await newVisitor();
    const { ms, status } = await sendTimed(service.url, token, newAddress(), 24 * MB);
    expect(status).toBe(413);
    // The buffers of both sockets, up to 8 MB, fill immediately.
    expect(ms).toBeGreaterThan(((24 * MB - BODY_RATE.burst) / BODY_RATE.perSecond) * 1_000 - 2_000);
  });
});

test('while a visitor sends twelve messages with files, their row and conversation are not locked', async ({
  service,
  workspaceId,
  newVisitor,
}) => {
  const visitor = await newVisitor();
  const { conversationId } = viewOf(await visitor.write());
  if (conversationId === null) throw new Error('There is no conversation.');
  for (let i = 0; i < 12; i += 1) beginUnfinished(service.url, visitor.token);
  await until('files are being stored', async () => (await storedFiles(workspaceId)) === 3);
  // `nowait` fails instead of waiting for a lock.
  const conversation = db()
    .$queryRaw`select 1 from conversations where id = ${conversationId}::uuid for no key update nowait`;
  expect(await conversation).toHaveLength(1);
  const row = db()
    .$queryRaw`select 1 from visitors where conversation_id = ${conversationId}::uuid for update nowait`;
  expect(await row).toHaveLength(1);
});

const file = (bytes: number, name = 'a.bin') => new File([new Uint8Array(bytes)], name);
const storedFiles = (workspaceId: string) => db().storedFile.count({ where: { workspaceId } });
