import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { blockTyped, unblock } from '#server/inbox/blocked-senders/block-sender.ts';
import { makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { test as inboundMailTest } from '#test/fixtures/inbound-mail-test.ts';
import { listRefused } from '#test/fixtures/refusals.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

/** `block`: adds a sender to the block list of `workspace`. `talkTo`: sends the commands up to RCPT, and returns the reply. */
const test = inboundMailTest
  .extend('block', ({ workspace }) => async (typed: string) => {
    const by = await makeUser('Ada', { workspaceId: workspace.id, role: 'owner' });
    return blockTyped({ workspaceId: workspace.id, typed, by });
  })
  .extend('talkTo', ({ talk, workspace }) => async (from: string) => {
    const session = await talk();
    await session.say('EHLO x');
    await session.say(`MAIL FROM:<${from}>`);
    return { session, answer: await session.say(`RCPT TO:<${workspace.mailbox}>`) };
  });

test('mail from a blocked envelope sender is refused at RCPT', async ({ block, talkTo, workspace }) => {
  await block('Spammer@Shop.test');
  await block('ads.test');
  expect((await talkTo('other@shop.test')).answer).toMatch(/^250/);
  expect(await listRefused(workspace.id)).toEqual([]);
  expect((await talkTo('spammer@shop.test')).answer).toMatch(/^550 5\.7\.1 /);
  expect(await listRefused(workspace.id)).toEqual(['spammer@shop.test']);
  expect((await talkTo('SPAMMER@shop.test')).answer).toMatch(/^550 5\.7\.1 /);
  expect((await talkTo('anyone@ads.test')).answer).toMatch(/^550 5\.7\.1 /);
  expect((await talkTo('anyone@mail.ads.test')).answer).toMatch(/^550 5\.7\.1 /);
  expect((await talkTo('anyone@bads.test')).answer).toMatch(/^250/);
  expect((await talkTo('')).answer).toMatch(/^250/);
});

test('mail whose author is blocked is refused after DATA and leaves nothing but the time', async ({
  block,
  inbound,
  workspace,
}) => {
  await block('ads.test');
  const raw = rawMail({ From: 'News <news@ads.test>' });
  const send = (from: string) => inbound.send({ raw, to: workspace.mailbox, from });
  await expect(send('bounce@relay.test')).rejects.toMatchObject({ responseCode: 550 });
  expect(await listRefused(workspace.id)).toEqual(['ads.test']);
  const where = { workspaceId: workspace.id };
  expect([await db().inboundUpdate.count({ where }), await db().conversation.count({ where })]).toEqual([
    0, 0,
  ]);
  expect(await db().storedFile.count({ where: { ...where, expiresAt: { gt: new Date() } } })).toBe(0);
});

test('a mail to two workspaces reaches the one that does not block its author', async ({
  block,
  inbound,
  workspace,
}) => {
  await block('news@ads.test');
  const other = await makeWorkspace();
  const raw = rawMail({ From: 'news@ads.test' });
  await inbound.send({ raw, to: [workspace.mailbox, other.mailbox], from: 'bounce@relay.test' });
  expect(await db().inboundUpdate.count({ where: { workspaceId: workspace.id } })).toBe(0);
  expect(await db().inboundUpdate.count({ where: { workspaceId: other.id } })).toBe(1);
  expect(await listRefused(workspace.id)).toEqual(['news@ads.test']);
});

test('a sender who is no longer blocked can write again', async ({ block, talkTo, workspace }) => {
  await block('ads.test');
  const { id } = await db().blockedSender.findFirstOrThrow({ where: { workspaceId: workspace.id } });
  const by = { id, name: 'Ada', email: 'ada@acme.test' };
  await unblock({ workspaceId: workspace.id, id, by });
  expect((await talkTo('anyone@ads.test')).answer).toMatch(/^250/);
});
