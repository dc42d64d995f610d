import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, inTransaction } from '#server/core/database/db.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { startDnsServer } from '#test/servers/dns-server.ts';
import { rawMail, startInboundMail } from '#test/servers/inbound-mail.ts';
import { startWorker } from '#worker/start-worker.ts';

let dns: Awaited<ReturnType<typeof startDnsServer>>;
let service: TestService;
let inbound: Awaited<ReturnType<typeof startInboundMail>>;
let worker: Awaited<ReturnType<typeof startWorker>>;
beforeAll(async () => {
  dns = await startDnsServer();
  service = await startTestService({
    DNS_SERVERS: dns.address,
    INBOUND_SMTP_PORT: '2525',
    WORKER_CONCURRENCY: '4',
  });
  inbound = await startInboundMail();
  worker = await startWorker();
});
afterAll(async () => {
  await worker.stop();
  await inbound.stop();
  await service.stop();
  await dns.stop();
});

const MAILS = 12;
const NESTED = `${'<div>'.repeat(60_000)}Hi`;

test('an attacker whose mails take very long delays neither other jobs nor the mail of other senders', async () => {
  const { workspaceId } = await makeConnection();
  const { address: to } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  const attack = (number: number) =>
    inbound.send({
      to,
      from: 'mallory@evil.test',
      raw: rawMail(
        {
          From: 'mallory@evil.test',
          'Message-ID': `<${number}@evil.test>`,
          'Content-Type': 'text/html',
        },
        NESTED,
      ),
    });
  for (let number = 0; number < MAILS; number += 1) await attack(number);
  await inbound.send({ to, raw: rawMail({ 'Message-ID': `<${randomUUID()}@acme.test>` }, 'My bill?') });
  const company = await db().company.create({
    data: { workspaceId, name: 'Acme', deletedAt: new Date() },
  });
  await inTransaction((tx) => queueJob(tx, 'remove-company', { companyId: company.id }));
  const waiting = () => db().inboundUpdate.count({ where: { workspaceId, processedAt: null } });

  await until(
    'the company is removed',
    async () => (await db().company.count({ where: { id: company.id } })) === 0,
  );
  expect(await waiting()).toBeGreaterThan(MAILS / 2);
  await until(
    'the other mail is received',
    async () => (await db().message.count({ where: { workspaceId, content: 'My bill?' } })) === 1,
  );
  expect(await waiting()).toBeGreaterThan(MAILS / 2);
});
