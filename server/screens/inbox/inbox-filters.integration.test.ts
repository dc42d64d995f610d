import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { type InboxFilter, type InboxReader, makeInboxReader } from '#test/fixtures/inbox-reader.ts';
import { addListed } from '#test/fixtures/listed-conversations.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('inbox', ({ service }) => makeInboxReader(service.url));

test('a conversation is verified once its contact has an address', async ({ inbox }) => {
  const { workspaceId } = inbox;
  const claim = async (subject: string, email: string | null) => {
    const { id: contactId } = await db().contact.create({
      data: { workspaceId, email, claimedEmail: 'ada@mail.test' },
    });
    await addListed({ workspaceId, subject, contactId, contactClaimed: true });
  };
  await claim('claimed', null);
  await claim('proved', 'ada@mail.test');
  await addListed({ workspaceId, subject: 'plain' });
  expect(await subjects(inbox, { verified: 'no' })).toEqual(['claimed']);
  expect(await subjects(inbox, { verified: 'yes' })).toEqual(['plain', 'proved']);
  expect((await inbox.counts({ verified: 'no' })).open).toEqual({ count: 1, more: false });
});

test('unread and failed conversations combine with each other and with further filters', async ({
  inbox,
}) => {
  const { workspaceId } = inbox;
  await db().member.updateMany({ where: { workspaceId }, data: { readBefore: new Date(0) } });
  const unread = { workspaceId, lastMessageAt: new Date(), lastInboundAt: new Date() };
  const failed = await addListed({ ...unread, subject: 'unread and failed', channel: 'slack' });
  await addListed({ ...unread, subject: 'unread', channel: 'slack' });
  await db().$executeRaw`update conversations set has_failed_reply = true where id = ${failed}::uuid`;
  expect(await subjects(inbox, { unread: 'yes', channel: 'slack' })).toHaveLength(2);
  expect(await subjects(inbox, { unread: 'yes', reply: 'failed', channel: 'slack' })).toEqual([
    'unread and failed',
  ]);
});

async function subjects({ list }: InboxReader, filter: InboxFilter): Promise<(string | null)[]> {
  return (await list(filter)).rows.map(({ subject }) => subject);
}
