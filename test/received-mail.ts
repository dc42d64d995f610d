import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { db } from '#server/core/database/db.ts';
import { receiveMail } from '#server/inbox/incoming-mail/receive-mail.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { startDnsServer } from '#test/dns-server.ts';
import { makeConnection } from '#test/factories.ts';
import { rawMail, startInboundMail } from '#test/inbound-mail.ts';
import { startMailServer } from '#test/mail-server.ts';
import { startTestService } from '#test/service.ts';
import { makeTeammates } from '#test/teammates.ts';

async function startParts() {
  const dns = await startDnsServer();
  const outgoing = await startMailServer();
  const service = await startTestService({
    DNS_SERVERS: dns.address,
    SMTP_URL: outgoing.url,
    INBOUND_SMTP_PORT: '2525',
  });
  return { dns, outgoing, service, inbound: await startInboundMail() };
}

async function makeMailbox() {
  const teammates = await makeTeammates();
  const { workspaceId } = teammates;
  // Events are recorded for those who may hear of them.
  await makeConnection({ workspaceId, teammate: teammates.owner });
  const mailbox = (await db().mailbox.findFirstOrThrow({ where: { workspaceId } })).address;
  return { teammates, mailbox, domain: mailbox.slice(mailbox.indexOf('@') + 1) };
}

type State = Awaited<ReturnType<typeof startParts>> & Awaited<ReturnType<typeof makeMailbox>>;

/**
 * For a test file about mail of contacts: a service that takes it, the name and mail servers around it, and before each test a
 * new workspace with a mailbox. `mail` has all of these; it is filled once the first test begins.
 */
export function withReceivedMail() {
  const mail = {} as State;
  beforeAll(async () => {
    Object.assign(mail, await startParts());
  });
  afterAll(async () => {
    await mail.inbound.stop();
    await mail.service.stop();
    await mail.outgoing.stop();
    await mail.dns.stop();
  });
  beforeEach(async () => {
    mail.outgoing.received.length = 0;
    const { answers } = mail.dns;
    answers.clear();
    // Ada's domain names this machine as its server, Mallory's says nothing, that of the bank another machine.
    answers.set('acme.test', [['v=spf1 ip4:127.0.0.1 -all']]);
    answers.set('_dmarc.acme.test', [['v=DMARC1; p=reject']]);
    answers.set('bank.test', [['v=spf1 ip4:192.0.2.1 -all']]);
    answers.set('_dmarc.bank.test', [['v=DMARC1; p=reject']]);
    Object.assign(mail, await makeMailbox());
  });

  /** Hands a mail over, and works off what was kept of it. */
  async function bring(
    raw: string | Buffer,
    { to = mail.mailbox, from = 'ada@acme.test' }: { to?: string | string[]; from?: string } = {},
  ): Promise<void> {
    await mail.inbound.send({ raw, to, from });
    await workOff();
  }

  async function workOff(): Promise<void> {
    const waiting = await db().inboundUpdate.findMany({
      where: { processedAt: null },
      orderBy: { receivedAt: 'asc' },
    });
    for (const { id } of waiting) await receiveMail(id);
  }

  const messages = () =>
    db().message.findMany({
      where: { workspaceId: mail.teammates.workspaceId },
      include: { attachments: true, conversation: { include: { contact: true } }, mailReferences: true },
      orderBy: { createdAt: 'asc' },
    });

  return {
    mail,
    bring,
    workOff,
    /** The workspace's messages, oldest first. */
    messages,
    newest: async () => (await messages()).at(-1),
    /** The keys of the workspace's events, oldest first. */
    events: async () => {
      const where = { workspaceId: mail.teammates.workspaceId };
      return (await db().event.findMany({ where, orderBy: { createdAt: 'asc' } })).map(({ key }) => key);
    },
    reply: (conversationId: string, content = 'It is on its way.') =>
      sendReply({
        workspaceId: mail.teammates.workspaceId,
        id: conversationId,
        actor: { kind: 'teammate', teammate: mail.teammates.agent },
        content,
      }),
    /** The message of a first mail from Ada. */
    first: async () => {
      await bring(rawMail({ 'Message-ID': `<${randomUUID()}@acme.test>` }));
      const [message] = await messages();
      if (!message) throw new Error('The first mail was not received.');
      return message;
    },
  };
}
