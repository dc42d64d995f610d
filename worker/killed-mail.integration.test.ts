import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { makeTeammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';
import { startDnsServer } from '#test/servers/dns-server.ts';
import { rawMail, startInboundMail } from '#test/servers/inbound-mail.ts';
import { startWorkerProcess } from '#test/servers/service-processes.ts';

let service: TestService;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let inbound: Awaited<ReturnType<typeof startInboundMail>>;
beforeAll(async () => {
  dns = await startDnsServer();
  service = await startTestService({ DNS_SERVERS: dns.address, INBOUND_SMTP_PORT: '2525' });
  inbound = await startInboundMail();
});
afterAll(async () => {
  await inbound.stop();
  await service.stop();
  await dns.stop();
});

test('a worker killed between the listener’s 250 and the message loses no mail and duplicates none', async () => {
  const { workspaceId } = await makeTeammates();
  const { address: to } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  // The check of the sender waits for a name server that does not respond.
  dns.answers.set('acme.test', 'silent');
  const victim = await startWorkerProcess();
  await inbound.send({ raw: rawMail({ To: to, 'Message-ID': '<1@acme.test>' }, 'My bill?'), to });
  await inbound.send({ raw: rawMail({ To: to, 'Message-ID': '<2@acme.test>' }, 'Did you get it?'), to });
  await until('the first sender is looked up', () => dns.asked.includes('acme.test'));
  await victim.kill();
  expect(await db().message.count({ where: { workspaceId } })).toBe(0);

  dns.answers.set('acme.test', [['v=spf1 ip4:127.0.0.1 -all']]);
  const heir = await startWorkerProcess();
  try {
    const waiting = { workspaceId, processedAt: null };
    await until(
      'all mails are processed',
      async () => (await db().inboundUpdate.count({ where: waiting })) === 0,
    );
    const messages = await db().message.findMany({ where: { workspaceId } });
    expect(messages.map(({ content }) => content.trim()).toSorted()).toEqual(['Did you get it?', 'My bill?']);
  } finally {
    await heir.stop();
  }
});
