import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { LIMITS, takeFrom } from '#server/core/limits/limits.ts';
import { readFileUsage } from '#server/inbox/files/file-quota.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';
import { rawMail, startInboundMail } from '#test/servers/inbound-mail.ts';

let service: TestService;
let inbound: Awaited<ReturnType<typeof startInboundMail>>;
let teammates: Teammates;
let workspaceId: string;
let mailbox: string;
beforeAll(async () => {
  service = await startTestService({ FILES_QUOTA_MB: '10' });
  inbound = await startInboundMail();
});
afterAll(async () => {
  await inbound.stop();
  await service.stop();
});
beforeEach(async () => {
  await db().$executeRaw`delete from rate_limits`;
  teammates = await makeTeammates();
  ({ workspaceId } = teammates);
  mailbox = (await db().mailbox.findFirstOrThrow({ where: { workspaceId } })).address;
});

const MB = 1_000_000;
const mailOf = (bytes: number) => rawMail({}, `${'x'.repeat(98)}\r\n`.repeat(Math.floor(bytes / 100)));
/** Delivers a message. Returns the refusal code, or `received`. */
const deliver = (from: string, bytes: number, to = mailbox) =>
  inbound.send({ from, to, raw: mailOf(bytes) }).then(
    () => 'received',
    (error: { responseCode?: number }) => error.responseCode,
  );
const used = async () => (await readFileUsage(db(), workspaceId)).usedBytes;

describe('an attacker who sends large messages', () => {
  test('leaves room for messages under 1 MB', async () => {
    await storeBytes(workspaceId, { content: Buffer.alloc(7 * MB) });
    expect(await deliver('eve@evil.test', 1.5 * MB)).toBe('received');
    expect(await deliver('eve@evil.test', 1.5 * MB)).toBe(452);
    await expect(storeBytes(workspaceId, { content: Buffer.alloc(MB) })).rejects.toThrow('cannot accept');
    expect(await deliver('ada@acme.test', 0.9 * MB)).toBe('received');
    expect(await used()).toBeGreaterThan(9 * MB);
  });

  test.each([
    ['from one address', 'inbound_mail_kib_sender', 'eve@evil.test', 'Eve@Evil.test', 'bob@evil.test'],
    ['from one domain', 'inbound_mail_kib_domain', 'evil.test', 'anyone@evil.test', 'ada@acme.test'],
  ] as const)(
    '%s is refused until the hour is over, and other senders are not',
    async (_how, limit, key, from, other) => {
      await takeFrom(limit, `${workspaceId}:${key}`, LIMITS[limit].points - 100);
      expect(await deliver(from, 50_000)).toBe('received');
      const before = await used();
      expect(await deliver(from, 100_000)).toBe(452);
      expect(await deliver(from, 1_000)).toBe(452);
      expect(await deliver(other, 100_000)).toBe('received');
      await db().storedFile.deleteMany({ where: { workspaceId, expiresAt: { lt: new Date() } } });
      expect((await used()) - before).toBeLessThan(150_000);
    },
  );

  test('under changing names from one server is refused, and mail for another workspace is not', async () => {
    const limit = 'inbound_mail_kib_server';
    await takeFrom(limit, `${workspaceId}:127.0.0.1`, LIMITS[limit].points);
    expect(await deliver('a@one.test', 50_000)).toBe(452);
    expect(await deliver('b@two.test', 50_000)).toBe(452);
    const others = (await makeTeammates()).workspaceId;
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId: others } });
    expect(await deliver('a@one.test', 50_000, address)).toBe('received');
  });

  test('from a public mail provider does not use up its domain for others', async () => {
    const limit = 'inbound_mail_kib_domain';
    await takeFrom(limit, `${workspaceId}:gmail.com`, LIMITS[limit].points + 1);
    expect(await deliver('ada@gmail.com', 50_000)).toBe('received');
  });
});

test('owners and admins are warned once at 80 % storage use, also after simultaneous uploads', async () => {
  const notified = () => db().notification.findMany({ where: { workspaceId, kind: 'storage_low' } });
  await storeBytes(workspaceId, { content: Buffer.alloc(7.5 * MB) });
  expect(await notified()).toEqual([]);
  await Promise.all([
    storeBytes(workspaceId, { content: Buffer.alloc(MB / 2) }),
    storeBytes(workspaceId, { content: Buffer.alloc(MB / 2) }),
  ]);
  const { owner, admin } = teammates;
  expect((await notified()).map(({ userId }) => userId).toSorted()).toEqual([owner.id, admin.id].toSorted());
  expect(await notified()).toMatchObject([{ data: { quotaBytes: 10 * MB } }, {}]);
  await db().storedFile.deleteMany({ where: { workspaceId } });
  await storeBytes(workspaceId, { content: Buffer.alloc(8.5 * MB) });
  expect(await notified()).toHaveLength(2);
});
