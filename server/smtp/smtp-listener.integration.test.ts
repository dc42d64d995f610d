import { v7 as uuidv7 } from 'uuid';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { test } from '#test/fixtures/inbound-mail-test.ts';
import { until } from '#test/fixtures/until.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

test.beforeEach(async ({ service: _ }) => {
  await db().inboundUpdate.deleteMany();
  await db().$executeRaw`delete from rate_limits`;
});

test('a message is stored before the response, and TLS is offered', async ({ inbound, talk, workspace }) => {
  await inbound.send({ raw: RAW, to: workspace.mailbox.toUpperCase() });
  const [update] = await db().inboundUpdate.findMany();
  expect(update).toMatchObject({ workspaceId: workspace.id, channel: 'email', processedAt: null });
  const file = await db().storedFile.findUniqueOrThrow({ where: { id: update?.externalId ?? '' } });
  // Other files expire after an hour unless a message refers to them.
  expect(Number(file.expiresAt) - Date.now()).toBeGreaterThan(13 * 86_400_000);
  const session = await talk();
  await session.say('EHLO mx.acme.test');
  expect(await session.say('STARTTLS')).toMatch(/^220/);
  session.end();
});

test('unknown recipients and forged reply addresses are refused at RCPT', async ({
  inbound,
  workspace,
  connection,
  conversation,
}) => {
  const domain = workspace.mailbox.slice(workspace.mailbox.indexOf('@') + 1);
  const theirs = (await db().mailbox.findFirstOrThrow({ where: { workspaceId: connection.workspaceId } }))
    .address;
  const right = signedAddress('reply', conversation, theirs.slice(theirs.indexOf('@') + 1));
  expect(await outcomeOf(inbound.send({ raw: RAW, to: right }))).toBe('accepted');
  const wrong = [
    `nobody@${domain}`,
    `nobody+support@${domain}`,
    `reply+billing@${domain}`,
    `bounce+billing@${domain}`,
    'somebody@elsewhere.test',
    `reply+${'a'.repeat(52)}@${domain}`,
    right.replace('reply+', 'bounce+'),
    right.replace(/@.*/, `@${domain}`),
    signedAddress('reply', uuidv7(), domain),
    signedAddress('bounce', uuidv7(), domain),
  ];
  for (const to of wrong) expect([to, await outcomeOf(inbound.send({ raw: RAW, to }))]).toEqual([to, 550]);
  expect(await countStored()).toBe(1);
});

test.for(['yuki..s.@docomo.test', '"yuki..s."@docomo.test', 'bounce-7@mail_1.acme.test'])(
  'mail from an address that RFC 5321 does not allow is accepted, as people have such addresses: %s',
  async (from, { inbound, workspace }) => {
    await inbound.sendVerbatim({ from, to: workspace.mailbox, raw: RAW });
    const [update] = await db().inboundUpdate.findMany();
    expect(Buffer.from(update?.body ?? []).toString()).toContain(JSON.stringify(from));
  },
);

test('a deleted workspace gets no more mail', async ({ inbound, workspace }) => {
  await db().workspace.update({ where: { id: workspace.id }, data: { deletedAt: new Date() } });
  expect(await outcomeOf(inbound.send({ raw: RAW, to: workspace.mailbox }))).toBe(550);
});

test('a message over 50 MB is refused with 552, with or without a SIZE parameter', async ({
  talk,
  workspace,
}) => {
  const session = await talk();
  await session.say('EHLO x');
  expect(await session.say(`MAIL FROM:<ada@acme.test> SIZE=${51 * 1024 * 1024}`)).toMatch(/^552/);
  expect(await session.say('MAIL FROM:<ada@acme.test>')).toMatch(/^250/);
  expect(await session.say(`RCPT TO:<${workspace.mailbox}>`)).toMatch(/^250/);
  expect(await session.say('DATA')).toMatch(/^354/);
  const line = Buffer.from(`${'x'.repeat(998)}\r\n`);
  session.write(Buffer.concat(Array.from({ length: 53_000 }, () => line)));
  session.write('\r\n.\r\n');
  expect(await session.hear()).toMatch(/^552/);
  expect(await session.say('QUIT')).toMatch(/^221/);
  expect(await countStored()).toBe(0);
  expect(
    await db().storedFile.count({ where: { workspaceId: workspace.id, expiresAt: { gt: new Date() } } }),
  ).toBe(0);
});

test('the 1,001st recipient is refused with 452', async ({ talk, workspace }) => {
  const domain = workspace.mailbox.slice(workspace.mailbox.indexOf('@') + 1);
  await db().mailbox.createMany({
    data: Array.from({ length: 1_001 }, (_, i) => ({
      workspaceId: workspace.id,
      address: `m${i}@${domain}`,
      name: 'M',
    })),
  });
  const session = await talk();
  await session.say('EHLO x');
  await session.say('MAIL FROM:<ada@acme.test>');
  for (let i = 0; i < 1_000; i += 1) expect(await session.say(`RCPT TO:<m${i}@${domain}>`)).toMatch(/^250/);
  expect(await session.say(`RCPT TO:<m1000@${domain}>`)).toMatch(/^452/);
  await session.say('DATA');
  session.write(`${RAW}\r\n.\r\n`);
  expect(await session.hear()).toMatch(/^250/);
  expect(await countStored()).toBe(1);
  session.end();
});

test('an attacker who guesses addresses is slowed down', async ({ talk, workspace }) => {
  const domain = workspace.mailbox.slice(workspace.mailbox.indexOf('@') + 1);
  const session = await talk();
  await session.say('EHLO x');
  await session.say('MAIL FROM:<ada@acme.test>');
  const codes: string[] = [];
  for (let i = 0; i < 101; i += 1)
    codes.push((await session.say(`RCPT TO:<guess${i}@${domain}>`)).slice(0, 3));
  expect(new Set(codes.slice(0, 100))).toEqual(new Set(['550']));
  expect(codes.at(-1)).toBe('451');
  session.end();
});

test('one address can open at most twenty connections', async ({ talk }) => {
  const sessions = await Promise.all(Array.from({ length: 20 }, () => talk()));
  expect(new Set(sessions.map(({ greeting }) => greeting.slice(0, 3)))).toEqual(new Set(['220']));
  expect((await talk()).greeting).toMatch(/^421/);
  for (const session of sessions) session.end();
  await until('a connection is accepted again', async () => {
    const session = await talk();
    session.end();
    return session.greeting.startsWith('220');
  });
});

test('a full mailbox is a temporary refusal', async ({ inbound, workspace }) => {
  const { FILES_QUOTA_MB } = settings();
  Object.assign(settings(), { FILES_QUOTA_MB: 0 });
  expect(await outcomeOf(inbound.send({ raw: RAW, to: workspace.mailbox }))).toBe(452);
  Object.assign(settings(), { FILES_QUOTA_MB });
  expect(await outcomeOf(inbound.send({ raw: RAW, to: workspace.mailbox }))).toBe('accepted');
});

test('an attacker cannot smuggle a second message after the end of the first', async ({
  talk,
  workspace,
}) => {
  const session = await talk();
  await session.say('EHLO x');
  await session.say('MAIL FROM:<ada@acme.test>');
  await session.say(`RCPT TO:<${workspace.mailbox}>`);
  await session.say('DATA');
  // Invalid ends (RFC 5321 §4.1.1.4): a lone line feed or carriage return before or after the dot.
  session.write(
    `${RAW}\n.\nMAIL FROM:<admin@inbox.test>\r\nRCPT TO:<${workspace.mailbox}>\r\nDATA\r\nevil\r\n.\r\n`,
  );
  expect(await session.hear()).toMatch(/^250/);
  expect(await session.say('QUIT')).toMatch(/^221/);
  expect(await countStored()).toBe(1);
});

const RAW = rawMail({});
const countStored = () => db().inboundUpdate.count();

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: { responseCode?: number; rejectedErrors?: { responseCode: number }[] }) =>
      error.rejectedErrors?.[0]?.responseCode ?? error.responseCode,
  );
