import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { consumeLimit, LIMITS } from '#server/core/limits/limits.ts';
import { readFileUsage } from '#server/inbox/files/file-quota.ts';
import { test as baseTest } from '#test/fixtures/inbound-mail-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';
import { rawMail, type startInboundMail } from '#test/servers/inbound-mail.ts';

const test = baseTest.extend('settings', { scope: 'file' }, () => ({ FILES_QUOTA_MB: '10' }));
test.beforeEach(({ service: _ }) => db().$executeRaw`delete from rate_limits`);

describe('an attacker who sends large messages', () => {
  test('leaves room for messages under 1 MB', async ({ inbound, teammates }) => {
    await storeBytes(teammates.workspaceId, { content: Buffer.alloc(7 * MB) });
    expect(await deliver(inbound, teammates, 'eve@evil.test', 1.5 * MB)).toBe('received');
    expect(await deliver(inbound, teammates, 'eve@evil.test', 1.5 * MB)).toBe(452);
    await expect(storeBytes(teammates.workspaceId, { content: Buffer.alloc(MB) })).rejects.toThrow(
      'cannot accept',
    );
    expect(await deliver(inbound, teammates, 'ada@acme.test', 0.9 * MB)).toBe('received');
    expect(await used(teammates)).toBeGreaterThan(9 * MB);
  });

  test.for([
    ['from one address', 'inbound_mail_kib_sender', 'eve@evil.test', 'Eve@Evil.test', 'bob@evil.test'],
    ['from one domain', 'inbound_mail_kib_domain', 'evil.test', 'anyone@evil.test', 'ada@acme.test'],
  ] as const)(
    '%s is refused until the hour is over, and other senders are not',
    async ([_how, limit, key, from, other], { inbound, teammates }) => {
      await consumeLimit(limit, `${teammates.workspaceId}:${key}`, LIMITS[limit].points - 100);
      expect(await deliver(inbound, teammates, from, 50_000)).toBe('received');
      const before = await used(teammates);
      expect(await deliver(inbound, teammates, from, 100_000)).toBe(452);
      expect(await deliver(inbound, teammates, from, 1_000)).toBe(452);
      expect(await deliver(inbound, teammates, other, 100_000)).toBe('received');
      await db().storedFile.deleteMany({
        where: { workspaceId: teammates.workspaceId, expiresAt: { lt: new Date() } },
      });
      expect((await used(teammates)) - before).toBeLessThan(150_000);
    },
  );

  test('under changing names from one server is refused, and mail for another workspace is not', async ({
    inbound,
    teammates,
  }) => {
    const limit = 'inbound_mail_kib_server';
    await consumeLimit(limit, `${teammates.workspaceId}:127.0.0.1`, LIMITS[limit].points);
    expect(await deliver(inbound, teammates, 'a@one.test', 50_000)).toBe(452);
    expect(await deliver(inbound, teammates, 'b@two.test', 50_000)).toBe(452);
    const others = (await makeTeammates()).workspaceId;
    const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId: others } });
    expect(await deliver(inbound, teammates, 'a@one.test', 50_000, address)).toBe('received');
  });

  test('from a public mail provider does not use up its domain for others', async ({
    inbound,
    teammates,
  }) => {
    const limit = 'inbound_mail_kib_domain';
    await consumeLimit(limit, `${teammates.workspaceId}:gmail.com`, LIMITS[limit].points + 1);
    expect(await deliver(inbound, teammates, 'ada@gmail.com', 50_000)).toBe('received');
  });
});

test('owners and admins are warned once at 80 % storage use, even after simultaneous uploads', async ({
  teammates,
}) => {
  const notified = () =>
    db().notification.findMany({ where: { workspaceId: teammates.workspaceId, kind: 'storage_low' } });
  await storeBytes(teammates.workspaceId, { content: Buffer.alloc(7.5 * MB) });
  expect(await notified()).toEqual([]);
  await Promise.all([
    storeBytes(teammates.workspaceId, { content: Buffer.alloc(MB / 2) }),
    storeBytes(teammates.workspaceId, { content: Buffer.alloc(MB / 2) }),
  ]);
  const { owner, admin } = teammates;
  expect((await notified()).map(({ userId }) => userId).toSorted()).toEqual([owner.id, admin.id].toSorted());
  expect(await notified()).toMatchObject([{ data: { quotaBytes: 10 * MB } }, {}]);
  await db().storedFile.deleteMany({ where: { workspaceId: teammates.workspaceId } });
  await storeBytes(teammates.workspaceId, { content: Buffer.alloc(8.5 * MB) });
  expect(await notified()).toHaveLength(2);
});

const MB = 1_000_000;
const mailOf = (bytes: number) => rawMail({}, `${'x'.repeat(98)}\r\n`.repeat(Math.floor(bytes / 100)));

/** Delivers a message. Returns the refusal code, or `received`. */
async function deliver(inbound: Inbound, teammates: Teammates, from: string, bytes: number, to?: string) {
  const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId: teammates.workspaceId } });
  return inbound.send({ from, to: to ?? address, raw: mailOf(bytes) }).then(
    () => 'received',
    (error: { responseCode?: number }) => error.responseCode,
  );
}

const used = async (teammates: Teammates) => (await readFileUsage(db(), teammates.workspaceId)).usedBytes;
type Inbound = Pick<Awaited<ReturnType<typeof startInboundMail>>, 'send'>;
