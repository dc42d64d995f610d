import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SmtpLimits } from '#server/smtp/smtp-sessions.ts';
import { talkSmtp } from '#test/clients/smtp-client.ts';
import { makeWorkspace } from '#test/fixtures/factories.ts';
import { startTestService, type TestService } from '#test/fixtures/service.ts';
import { until } from '#test/fixtures/until.ts';
import { rawMail, startInboundMail } from '#test/servers/inbound-mail.ts';

const RAW = rawMail({});
let service: TestService;
let mailbox: string;
beforeAll(async () => {
  service = await startTestService();
  ({ mailbox } = await makeWorkspace());
});
afterAll(() => service.stop());

const sockets: Socket[] = [];
let inbound: Awaited<ReturnType<typeof startInboundMail>> | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await inbound?.stop();
});

/** Starts a listener with these limits. */
async function listen(limits: Partial<SmtpLimits>) {
  inbound = await startInboundMail({ limits });
  const { port, send } = inbound;
  return { talk: () => talkSmtp(port, sockets), send: () => send({ raw: RAW, to: mailbox }) };
}

const begin = async (session: Awaited<ReturnType<typeof talkSmtp>>) => {
  await session.say('EHLO x');
  await session.say('MAIL FROM:<ada@acme.test>');
  await session.say(`RCPT TO:<${mailbox}>`);
  expect(await session.say('DATA')).toMatch(/^354/);
};

test('an attacker who fills the listener with silent connections loses them, and mail is accepted', async () => {
  const { talk, send } = await listen({ connections: 4, crowdedIdleMs: 300, checkMs: 20 });
  const silent = await Promise.all(Array.from({ length: 4 }, talk));
  expect(silent.map(({ greeting }) => greeting.slice(0, 3))).toEqual(['220', '220', '220', '220']);
  expect((await talk()).greeting).toMatch(/^421/);
  // Half of them may stay, as the listener is then no longer crowded.
  expect(await Promise.race(silent.map(({ hear }) => hear()))).toMatch(/^421/);
  await send();
});

test('an attacker who repeats NOOP is idle', async () => {
  const { talk } = await listen({ idleMs: 300, checkMs: 20 });
  const session = await talk();
  await session.say('EHLO x');
  await until('the connection is closed', async () => /^421|closed/.test(await session.say('NOOP')));
});

test('an attacker who sends a message byte by byte is idle, a slow sender is not', async () => {
  const { talk } = await listen({ idleMs: 500, checkMs: 20 });
  const [byByte, slow] = [await talk(), await talk()];
  await Promise.all([begin(byByte), begin(slow)]);
  slow.write(RAW);
  await until('the connection is closed', () => {
    byByte.write('x');
    slow.write(`${'x'.repeat(998)}\r\n`.repeat(2));
    return byByte.isClosed();
  });
  slow.write('\r\n.\r\n');
  expect(await slow.hear()).toMatch(/^250/);
});

test('an attacker who names endless recipients is disconnected, a sender of many messages is not', async () => {
  const { talk } = await listen({ commands: 50 });
  const session = await talk();
  for (let mail = 0; mail < 3; mail += 1) {
    await begin(session);
    session.write(`${RAW}\r\n.\r\n`);
    expect(await session.hear()).toMatch(/^250/);
    for (let n = 0; n < 30; n += 1) expect(await session.say('NOOP')).toMatch(/^250/);
  }
  await session.say('MAIL FROM:<ada@acme.test>');
  const replies: string[] = [];
  while (!session.isClosed() && replies.length < 100) replies.push(await session.say(`RCPT TO:<${mailbox}>`));
  expect(replies.length).toBeLessThan(50);
  expect(replies.some((reply) => reply.startsWith('421'))).toBe(true);
});
