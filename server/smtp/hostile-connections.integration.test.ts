import { expect } from 'vitest';
import type { talkSmtp } from '#test/clients/smtp-client.ts';
import { test } from '#test/fixtures/inbound-mail-test.ts';
import { until } from '#test/fixtures/until.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const RAW = rawMail({});

test('an attacker who fills the listener with silent connections loses them, and mail is accepted', async ({
  listen,
  workspace,
}) => {
  const { talk, send } = await listen({ connections: 4, crowdedIdleMs: 300, checkMs: 20 });
  const silent = await Promise.all(Array.from({ length: 4 }, talk));
  expect(silent.map(({ greeting }) => greeting.slice(0, 3))).toEqual(['220', '220', '220', '220']);
  expect((await talk()).greeting).toMatch(/^421/);
  // Half of them may stay, as the listener is then no longer crowded.
  expect(await Promise.race(silent.map(({ hear }) => hear()))).toMatch(/^421/);
  await send({ raw: RAW, to: workspace.mailbox });
});

test('an attacker who repeats NOOP is idle', async ({ listen }) => {
  const { talk } = await listen({ idleMs: 300, checkMs: 20 });
  const session = await talk();
  await session.say('EHLO x');
  await until('the connection is closed', async () => /^421|closed/.test(await session.say('NOOP')));
});

test('an attacker who sends a message byte by byte is idle, a slow sender is not', async ({
  listen,
  workspace,
}) => {
  const { talk } = await listen({ idleMs: 500, checkMs: 20 });
  const [byByte, slow] = [await talk(), await talk()];
  await Promise.all([begin(workspace.mailbox, byByte), begin(workspace.mailbox, slow)]);
  slow.write(RAW);
  await until('the connection is closed', () => {
    byByte.write('x');
    slow.write(`${'x'.repeat(998)}\r\n`.repeat(2));
    return byByte.isClosed();
  });
  slow.write('\r\n.\r\n');
  expect(await slow.hear()).toMatch(/^250/);
});

test('an attacker who names endless recipients is disconnected, a sender of many messages is not', async ({
  listen,
  workspace,
}) => {
  const { talk } = await listen({ commands: 50 });
  const session = await talk();
  for (let mail = 0; mail < 3; mail += 1) {
    await begin(workspace.mailbox, session);
    session.write(`${RAW}\r\n.\r\n`);
    expect(await session.hear()).toMatch(/^250/);
    for (let n = 0; n < 30; n += 1) expect(await session.say('NOOP')).toMatch(/^250/);
  }
  await session.say('MAIL FROM:<ada@acme.test>');
  const replies: string[] = [];
  while (!session.isClosed() && replies.length < 100)
    replies.push(await session.say(`RCPT TO:<${workspace.mailbox}>`));
  expect(replies.length).toBeLessThan(50);
  expect(replies.some((reply) => reply.startsWith('421'))).toBe(true);
});

const begin = async (mailbox: string, session: Awaited<ReturnType<typeof talkSmtp>>) => {
  await session.say('EHLO x');
  await session.say('MAIL FROM:<ada@acme.test>');
  await session.say(`RCPT TO:<${mailbox}>`);
  expect(await session.say('DATA')).toMatch(/^354/);
};
