import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { answerContact } from '#server/inbox/ai-agent/answer-contact.ts';
import { exampleAgent } from '#server/inbox/ai-agent/example-agent.ts';
import { receiveMail } from '#server/inbox/incoming-mail/receive-mail.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { type DnsServer, test } from '#test/fixtures/received-mail-test.ts';
import { rawMail, type startInboundMail } from '#test/servers/inbound-mail.ts';
import type { ReceivedMail } from '#test/servers/mail-server.ts';

test('two installations whose agents answer each other send at most two mails each', async ({
  mail,
  dns,
  inbound,
}) => {
  const [one, two] = [await makeAnsweringWorkspace(dns), await makeAnsweringWorkspace(dns)];
  // An attacker forges a mail from one workspace to the other.
  await inbound.send({
    from: two.mailbox,
    to: one.mailbox,
    raw: rawMail(
      { From: `Two <${two.mailbox}>`, Subject: 'Where is my parcel?', 'Message-ID': '<start@x>' },
      'Where is my parcel?',
    ),
  });
  for (let round = 0; round < 8; round += 1) await runOnce(inbound, mail);
  for (const { mailbox } of [one, two]) {
    const domain = mailbox.slice(mailbox.indexOf('@'));
    expect(sent.filter((from) => from.endsWith(domain)).length).toBeLessThanOrEqual(2);
  }
  expect(sent.length).toBeGreaterThan(0);
  const answers = await db().message.findMany({ where: { workspaceId: two.id, direction: 'inbound' } });
  expect(answers.every(({ automatic }) => automatic)).toBe(true);
});

async function makeAnsweringWorkspace(dns: DnsServer) {
  const { id, mailbox } = await makeWorkspace();
  await db().workspace.update({ where: { id }, data: { aiAgentEnabled: true } });
  await db().savedAnswer.create({
    data: {
      workspaceId: id,
      question: 'Where is my parcel?',
      answer: 'Where is my parcel? It is on its way.',
    },
  });
  dns.answers.set(mailbox.slice(mailbox.indexOf('@') + 1), [['v=spf1 ip4:127.0.0.1 -all']]);
  return { id, mailbox };
}

/** Runs the queued jobs of both workspaces, and delivers their outgoing mail. */
async function runOnce(inbound: Inbound, mail: { received: ReceivedMail[] }): Promise<void> {
  for (const { id } of await db().inboundUpdate.findMany({ where: { processedAt: null } }))
    await receiveMail(id);
  const jobs = await db().$queryRaw<{ id: bigint; task: string; payload: { messageId: string } }[]>`
    select id, task, payload from job_outbox where task in ('answer-contact', 'send-message')
    union all
    select j.id, t.identifier, j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier in ('answer-contact', 'send-message')`;
  for (const { task, payload } of jobs) {
    if (task === 'answer-contact') await answerContact(exampleAgent, payload);
    const message = await db().message.findUnique({ where: { id: payload.messageId } });
    if (task === 'send-message' && message?.sendStatus === 'queued')
      await sendQueuedMessage(payload.messageId);
  }
  for (const sentMail of mail.received.splice(0)) {
    sent.push(sentMail.from);
    await inbound.send({ from: sentMail.from, to: sentMail.to, raw: sentMail.raw });
  }
}

const sent: string[] = [];
type Inbound = Awaited<ReturnType<typeof startInboundMail>>;
