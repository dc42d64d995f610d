import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { until } from '#test/fixtures/until.ts';
import { withWorker } from '#test/fixtures/with-worker.ts';
import { test as inboundMailTest } from '#test/fixtures/worker-mail-test.ts';
import { rawMail, type startInboundMail } from '#test/servers/inbound-mail.ts';

const test = inboundMailTest.override('settings', { WORKER_CONCURRENCY: '4' });

test('an attacker with slow mails delays neither other jobs nor the mail of other senders', async ({
  dns,
  inbound,
  mailbox,
}) => {
  const mails = 12;
  const { workspaceId, address: to } = mailbox;
  dns.answers.set('silent.test', 'silent').set('_dmarc.silent.test', 'silent');
  await withWorker(async () => {
    for (let number = 0; number < mails; number += 1)
      await deliver(inbound, { to, from: 'mallory@silent.test', body: 'Hi' });
    await deliverFromAcme(inbound, to);
    const company = await db().company.create({
      data: { workspaceId, name: 'Acme', deletedAt: new Date() },
    });
    await inTransaction((tx) => queueJob(tx, 'remove-company', { companyId: company.id }));

    await until(
      'the company is removed',
      async () => (await db().company.count({ where: { id: company.id } })) === 0,
    );
    expect(await countWaiting(workspaceId)).toBeGreaterThan(0);
    await untilBillIsReceived(workspaceId);
    expect(await countWaiting(workspaceId)).toBeGreaterThan(0);
  });
});

test('an attacker with unresponsive name servers delays no other sender, and their mail is received as unverified', async ({
  dns,
  inbound,
  mailbox,
}) => {
  const mails = 8;
  const { workspaceId, address: to } = mailbox;
  dns.answers.set('silent.test', 'silent').set('_dmarc.silent.test', 'silent');
  dns.queried.length = 0;
  for (let number = 0; number < mails; number += 1)
    await deliver(inbound, { to, from: 'mallory@silent.test', body: 'Hi' });
  await deliverFromAcme(inbound, to);
  await withWorker(() =>
    until('all mails are received', async () => (await countWaiting(workspaceId)) === 0),
  );

  // The last mail's sender was looked up while lookups of the other mails were still being retried.
  expect(dns.queried).toContain('acme.test');
  expect(dns.queried.indexOf('acme.test')).toBeLessThan(dns.queried.lastIndexOf('silent.test'));
  const received = await db().message.findMany({
    where: { workspaceId, content: 'Hi' },
    select: { senderVerified: true },
  });
  expect(received).toEqual(Array.from({ length: mails }, () => ({ senderVerified: null })));
});

type Inbound = Awaited<ReturnType<typeof startInboundMail>>;

function deliver(inbound: Inbound, { to, from, body }: { to: string; from: string; body: string }) {
  const raw = rawMail({ From: from, 'Message-ID': `<${randomUUID()}@x.test>` }, body);
  return inbound.send({ to, from, raw });
}

function deliverFromAcme(inbound: Inbound, to: string) {
  return inbound.send({ to, raw: rawMail({ 'Message-ID': `<${randomUUID()}@acme.test>` }, 'My bill?') });
}

const countWaiting = (workspaceId: string) =>
  db().inboundUpdate.count({ where: { workspaceId, processedAt: null } });
const untilBillIsReceived = (workspaceId: string) =>
  until(
    'the other mail is received',
    async () => (await db().message.count({ where: { workspaceId, content: 'My bill?' } })) === 1,
  );
