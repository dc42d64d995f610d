import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { blockTyped, unblock } from '#server/inbox/blocked-senders/block-sender.ts';
import { makeChatWriter } from '#test/clients/chat-client.ts';
import { test as mailTest } from '#test/fixtures/received-mail-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

const test = mailTest.extend('explain', ({ teammates }) => async (messageId: string) => {
  const screens = await (await signInTeammate(teammates.agent))();
  return screens.conversations.explain({ messageId });
});

describe('the sender of a message who is blocked now', () => {
  test('is named with who blocked them, and when a message was last refused', async ({
    inbox,
    mailbox: { workspaceId },
    teammates: { admin, owner },
    explain,
  }) => {
    const { id, conversationId } = await inbox.first();
    const steps = async (messageId = id) => (await explain(messageId)).slice(-2);
    await blockTyped({ workspaceId, typed: 'ada@acme.test', by: admin });
    const entry = await db().blockedSender.findFirstOrThrow({ where: { workspaceId } });
    const since = `Messages from ada@acme.test have been refused since ${admin.name} blocked this address.`;
    expect((await steps())[1]).toEqual({
      id: expect.any(Number),
      at: entry.createdAt,
      sentence: `${since} None has arrived since.`,
      tone: 'bad',
    });
    await expect(inbox.bring(rawMail({ 'Message-ID': '<2@acme.test>' }))).rejects.toThrow('550');
    const { lastRefusedAt } = await db().blockedSender.findFirstOrThrow({ where: { workspaceId } });
    const last = 'The last one was refused, and was not stored.';
    expect(await steps()).toMatchObject([
      { at: entry.createdAt, sentence: since },
      { at: lastRefusedAt, sentence: last, tone: 'bad' },
    ]);

    // Where a teammate waits for the answer: at the own reply. Owners and admins can go to the list.
    await inbox.reply(conversationId);
    const reply = await inbox.newest();
    const screens = await (await signInTeammate(owner))();
    const seen = await screens.conversations.explain({ messageId: reply?.id ?? '' });
    expect(seen.at(-1)).toMatchObject({
      sentence: last,
      link: { path: '/settings/blocked-senders?search=ada%40acme.test', name: 'Show in Blocked senders' },
    });

    await unblock({ workspaceId, id: entry.id, by: admin });
    expect(JSON.stringify(await steps())).not.toContain('refused');
  });

  test('is named by the address of someone else who wrote in the conversation', async ({
    inbox,
    mailbox: { workspaceId },
    teammates: { admin },
    mail,
    explain,
  }) => {
    const { id, conversationId } = await inbox.first();
    await inbox.reply(conversationId);
    await db().message.update({ where: { id }, data: { authorAddress: 'tom@acme.test', authorName: 'Tom' } });
    expect(mail.received).toHaveLength(1);
    await blockTyped({ workspaceId, typed: 'tom@acme.test', by: admin });
    expect((await explain(id)).at(-1)?.sentence).toBe(
      `Messages from tom@acme.test have been refused since ${admin.name} blocked this address. None has arrived since.`,
    );
    // The reply was sent to the contact, whom his blocked address does not affect.
    const reply = await inbox.newest();
    expect(JSON.stringify(await explain(reply?.id ?? ''))).not.toContain('refused');
  });

  test('is named in a web chat by their name, and without it after their erasure', async ({
    service,
    mailbox: { workspaceId },
    teammates: { agent },
    explain,
  }) => {
    const visitor = await makeChatWriter(service.url, workspaceId, { name: 'Nora' });
    const message = await db().message.findFirstOrThrow({ where: { workspaceId } });
    const screens = await (await signInTeammate(agent))();
    await screens.removed.markSpam({ id: message.conversationId, block: 'chat' });
    await visitor.write({ content: 'Again' });
    const sentences = async () => (await explain(message.id)).slice(-2).map(({ sentence }) => sentence);
    expect(await sentences()).toEqual([
      `Messages from Nora (Web chat) have been refused since ${agent.name} blocked this person.`,
      'The last one was refused, and was not stored.',
    ]);
    await db().blockedSender.updateMany({ where: { workspaceId }, data: { label: null } });
    expect((await sentences())[0]).toMatch(/^Messages from this chat have been refused since /);
  });
});
