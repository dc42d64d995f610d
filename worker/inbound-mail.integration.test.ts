import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { startDnsServer } from '#test/servers/dns-server.ts';
import { rawMail, startInboundMail } from '#test/servers/inbound-mail.ts';
import { startWorker } from '#worker/start-worker.ts';

let dns: Awaited<ReturnType<typeof startDnsServer>>;
let service: TestService;
let inbound: Awaited<ReturnType<typeof startInboundMail>>;
let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
beforeAll(async () => {
  dns = await startDnsServer();
  service = await startTestService({
    DNS_SERVERS: dns.address,
    INBOUND_SMTP_PORT: '2525',
    WORKER_CONCURRENCY: '4',
  });
  inbound = await startInboundMail();
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});
afterAll(async () => {
  await inbound.stop();
  await service.stop();
  await dns.stop();
});

const NESTED = `${'<div>'.repeat(60_000)}Hi`;

async function makeMailbox() {
  const { workspaceId } = await makeConnection();
  const { address: to } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  return { workspaceId, to };
}

function deliver(to: string, from: string, body: string, headers: Record<string, string> = {}) {
  const raw = rawMail({ From: from, 'Message-ID': `<${randomUUID()}@x.test>`, ...headers }, body);
  return inbound.send({ to, from, raw });
}

function deliverFromAcme(to: string) {
  return inbound.send({ to, raw: rawMail({ 'Message-ID': `<${randomUUID()}@acme.test>` }, 'My bill?') });
}

const countWaiting = (workspaceId: string) =>
  db().inboundUpdate.count({ where: { workspaceId, processedAt: null } });
const untilBillIsReceived = (workspaceId: string) =>
  until(
    'the other mail is received',
    async () => (await db().message.count({ where: { workspaceId, content: 'My bill?' } })) === 1,
  );

test('an attacker with slow mails delays neither other jobs nor the mail of other senders', async () => {
  const mails = 12;
  const { workspaceId, to } = await makeMailbox();
  worker = await startWorker();
  for (let number = 0; number < mails; number += 1)
    await deliver(to, 'mallory@evil.test', NESTED, { 'Content-Type': 'text/html' });
  await deliverFromAcme(to);
  const company = await db().company.create({
    data: { workspaceId, name: 'Acme', deletedAt: new Date() },
  });
  await inTransaction((tx) => queueJob(tx, 'remove-company', { companyId: company.id }));

  await until(
    'the company is removed',
    async () => (await db().company.count({ where: { id: company.id } })) === 0,
  );
  expect(await countWaiting(workspaceId)).toBeGreaterThan(mails / 2);
  await untilBillIsReceived(workspaceId);
  expect(await countWaiting(workspaceId)).toBeGreaterThan(mails / 2);
});

test('an attacker with unresponsive name servers delays no other sender, and their mail is received as unverified', async () => {
  const mails = 8;
  const { workspaceId, to } = await makeMailbox();
  dns.answers.set('silent.test', 'silent').set('_dmarc.silent.test', 'silent');
  dns.asked.length = 0;
  for (let number = 0; number < mails; number += 1) await deliver(to, 'mallory@silent.test', 'Hi');
  await deliverFromAcme(to);
  worker = await startWorker();
  await until('all mails are received', async () => (await countWaiting(workspaceId)) === 0);

  // The last mail's sender was looked up while lookups of the other mails were still being retried.
  expect(dns.asked).toContain('acme.test');
  expect(dns.asked.indexOf('acme.test')).toBeLessThan(dns.asked.lastIndexOf('silent.test'));
  const received = await db().message.findMany({
    where: { workspaceId, content: 'Hi' },
    select: { senderVerified: true },
  });
  expect(received).toEqual(Array.from({ length: mails }, () => ({ senderVerified: null })));
});
