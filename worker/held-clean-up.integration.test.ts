import { expect } from 'vitest';
import { withSession } from '#scripts/backup/database-session.ts';
import { dropHeld, releaseHeld } from '#scripts/backup/held-work.ts';
import { db } from '#server/core/database/prisma.ts';
import { lookUpMailSender } from '#server/inbox/incoming-mail/look-up-mail-sender.ts';
import { receiveMail } from '#server/inbox/incoming-mail/receive-mail.ts';
import { storeUpdate } from '#server/inbox/provider-updates/store-update.ts';
import { allMoved, forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';
import { makeTasks } from '#worker/tasks.ts';

/**
 * - `heldMail`: restores a backup of 20 days ago, with a mail that had just been received. The id of its update.
 */
const test = mailTest.extend('heldMail', async ({ inbound, mailbox }) => {
  await forgetJobs();
  await db().heldWork.deleteMany();
  await inbound.send({ raw: rawMail({}, 'Where is my parcel?'), to: mailbox.address, from: 'ada@acme.test' });
  await allMoved();
  await db().$executeRaw`update inbound_updates set received_at = received_at - interval '20 days'`;
  await db().$executeRaw`update stored_files set expires_at = expires_at - interval '20 days'`;
  await db().$executeRaw`select hold_restored_work()`;
  const { id } = await db().inboundUpdate.findFirstOrThrow({ where: { workspaceId: mailbox.workspaceId } });
  return id;
});

test('a mail in a backup of three weeks ago stays while it is held, and becomes a message with its original once it is released', async ({
  heldMail,
  inbox,
}) => {
  await cleanUp();
  expect(await withSession((client) => releaseHeld(client, ['look-up-sender']))).toBe(1);
  await cleanUp();
  expect(await queuedJobs()).toMatchObject([{ task: 'look-up-sender', payload: { updateId: heldMail } }]);
  await lookUpMailSender(heldMail);
  await receiveMail(heldMail);
  expect(await inbox.messages()).toMatchObject([
    { content: 'Where is my parcel?', originalFileId: expect.any(String) },
  ]);
});

test('a held mail is removed once it was dropped', async ({ heldMail, mailbox }) => {
  const { workspaceId } = mailbox;
  expect(await withSession((client) => dropHeld(client, ['look-up-sender']))).toBe(1);
  await cleanUp();
  expect(await db().inboundUpdate.findUnique({ where: { id: heldMail } })).toBeNull();
  expect(await db().storedFile.count({ where: { workspaceId } })).toBe(0);
});

test('updates of a channel keep their order when they are released, and later ones their time', async ({
  mailbox,
}) => {
  const { workspaceId } = mailbox;
  await forgetJobs();
  await db().heldWork.deleteMany();
  const account = await db().channelAccount.create({
    data: { workspaceId, channel: 'telegram', externalId: '1', name: 'Bot', credentials: Buffer.from('') },
  });
  const store = (externalId: string) =>
    storeUpdate(account, { externalId, body: Buffer.from('{}'), headers: {} });
  for (const externalId of ['first', 'second', 'third']) await store(externalId);
  await allMoved();
  await db().$executeRaw`update inbound_updates set received_at = received_at - interval '40 days'`;
  await db().$executeRaw`select hold_restored_work()`;
  await store('later');
  const read = () =>
    db().inboundUpdate.findMany({ where: { accountId: account.id }, orderBy: { receivedAt: 'asc' } });
  const before = await read();
  await cleanUp();
  expect(await withSession((client) => releaseHeld(client, ['process-updates']))).toBe(1);
  await cleanUp();
  const after = await read();
  expect(after.find(({ externalId }) => externalId === 'later')).toEqual(before.at(-1));
  const released = after.filter(({ externalId }) => externalId !== 'later');
  expect(released.map(({ externalId }) => externalId)).toEqual(['first', 'second', 'third']);
});

async function cleanUp(): Promise<void> {
  const task = makeTasks()['clean-up'];
  if (!task) throw new Error('There is no task.');
  await Reflect.apply(task, undefined, []);
}
