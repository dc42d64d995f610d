import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { until } from '#test/fixtures/until.ts';
import { test } from '#test/fixtures/worker-mail-test.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';
import { startWorkerProcess } from '#test/servers/service-processes.ts';

test('a worker killed between the listener’s 250 and the message loses no mail and duplicates none', async ({
  dns,
  inbound,
  mailbox,
}) => {
  const { workspaceId, address: to } = mailbox;
  // The check of the sender waits for a name server that does not respond.
  dns.answers.set('acme.test', 'silent');
  const victim = await startWorkerProcess();
  await inbound.send({ raw: rawMail({ To: to, 'Message-ID': '<1@acme.test>' }, 'My bill?'), to });
  await inbound.send({ raw: rawMail({ To: to, 'Message-ID': '<2@acme.test>' }, 'Did you get it?'), to });
  await until('the first sender is looked up', () => dns.queried.includes('acme.test'));
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
