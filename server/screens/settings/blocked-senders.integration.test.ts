import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { refuseBlocked } from '#server/inbox/blocked-senders/find-blocking.ts';
import {
  receiveProviderMessage,
  receiveProviderReaction,
} from '#server/inbox/provider-updates/receive-provider-message.ts';
import { makeChatWriter } from '#test/clients/chat-client.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { listRefused } from '#test/fixtures/refusals.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

const test = serviceTest
  .extend('admin', async ({ teammates }) => (await signInTeammate(teammates.admin))())
  .extend('agent', async ({ teammates }) => (await signInTeammate(teammates.agent))());

describe('the block list', () => {
  test('is seen and changed by owners and admins, and searched', async ({ admin, agent, teammates }) => {
    const { blockedSenders } = admin;
    await blockedSenders.add({ sender: ' Spammer@Shop.example ' });
    await blockedSenders.add({ sender: '@ads.example' });
    await blockedSenders.add({ sender: 'ads.example' });
    const { senders, total } = await blockedSenders.get({});
    expect(senders.map(({ name }) => name)).toEqual(['ads.example', 'spammer@shop.example']);
    expect([total, senders[0]?.createdByName]).toEqual([2, teammates.admin.name]);
    expect(senders.map(({ lastRefusedAt }) => lastRefusedAt)).toEqual([null, null]);
    await refuseBlocked(db(), [teammates.workspaceId], { emails: ['spammer@shop.example'] });
    expect((await blockedSenders.get({})).senders.map(({ lastRefusedAt }) => lastRefusedAt)).toEqual([
      null,
      expect.any(Date),
    ]);
    expect((await blockedSenders.get({ search: 'SHOP' })).senders).toHaveLength(1);
    await expect(agent.blockedSenders.get({})).rejects.toThrow();
    await expect(agent.blockedSenders.add({ sender: 'a.example' })).rejects.toThrow();
    const [first] = senders;
    await blockedSenders.remove({ id: first?.id ?? '' });
    expect((await blockedSenders.get({})).total).toBe(1);
    const kinds = await db().auditEntry.findMany({ where: { workspaceId: teammates.workspaceId } });
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual([
      'sender_blocked',
      'sender_blocked',
      'sender_unblocked',
    ]);
  });

  test('shows and finds domains as people write them', async ({ admin: { blockedSenders } }) => {
    await blockedSenders.add({ sender: 'Ada@Müller.example' });
    await blockedSenders.add({ sender: 'bücher.example' });
    const names = async (search: string) =>
      (await blockedSenders.get({ search })).senders.map(({ name }) => name);
    expect(await names('')).toEqual(['bücher.example', 'ada@müller.example']);
    for (const search of ['müller.example', 'ada@müller.example', 'xn--mller-kva'])
      expect(await names(search)).toEqual(['ada@müller.example']);
  });

  test.for([
    ['gmail.com', 'Anyone can have an address at gmail.com'],
    ['yahoo.de', 'Anyone can have an address at yahoo.de'],
    ['co.uk', 'Anyone can have a domain below co.uk'],
    ['com', 'Enter an email address or a domain'],
    ['', 'Enter an email address or a domain'],
    ['not an address@', 'Enter an email address or a domain'],
  ] as const)('refuses %j', async ([sender, problem], { admin }) => {
    await expect(admin.blockedSenders.add({ sender })).rejects.toThrow(problem);
  });

  test('refuses the addresses and domains of the workspace', async ({ admin, teammates }) => {
    const { address } = await db().mailbox.findFirstOrThrow({
      where: { workspaceId: teammates.workspaceId },
    });
    const domain = address.slice(address.indexOf('@') + 1);
    for (const sender of [address, domain, teammates.agent.email]) {
      await expect(admin.blockedSenders.add({ sender })).rejects.toThrow(/your own|teammate/);
    }
  });
});

describe('marking as spam', () => {
  test.for([
    ['address', (email: string) => email],
    ['domain', (email: string) => email.slice(email.indexOf('@') + 1)],
  ] as const)('can block the %s of an email', async ([kind, blockedPart], { agent, teammates }) => {
    const { workspaceId } = teammates;
    const email = `ada@${randomUUID()}.example`;
    const { id: contactId } = await makeContact(workspaceId, { email });
    const id = await makeConversation({ workspaceId, teammate: teammates.agent }, { contactId });
    expect(await agent.removed.blockChoices({ id })).toContainEqual({ kind, name: blockedPart(email) });
    const blocked = await agent.removed.markSpam({ id, block: kind });
    expect(await db().blockedSender.findMany({ where: { workspaceId } })).toMatchObject([
      { kind, value: blockedPart(email) },
    ]);
    expect(await agent.removed.markSpam({ id, block: kind })).toEqual([]);
    await agent.removed.unblock({ blocked });
    expect(await db().blockedSender.count({ where: { workspaceId } })).toBe(0);
    // The sender of a conversation that is spam already.
    expect(await agent.removed.markSpam({ id, block: kind })).toHaveLength(1);
    expect((await agent.removed.listSpam({})).rows).toMatchObject([{ id }]);
  });

  test.for(['merged', 'deleted'] as const)(
    'blocks no one when the conversation was %s',
    async (happened, { admin, agent, teammates }) => {
      const { workspaceId } = teammates;
      const { id: contactId } = await makeContact(workspaceId, { email: `ada@${randomUUID()}.example` });
      const of = { workspaceId, teammate: teammates.agent };
      const id = await makeConversation(of, { contactId });
      if (happened === 'deleted') await admin.removed.delete({ id });
      else await agent.conversations.merge({ id, intoId: await makeConversation(of) });
      await expect(agent.removed.markSpam({ id, block: 'domain' })).rejects.toThrow(`was ${happened}`);
      expect(await db().blockedSender.count({ where: { workspaceId } })).toBe(0);
      const audited = { workspaceId, kind: 'sender_blocked' };
      expect(await db().auditEntry.count({ where: audited })).toBe(0);
    },
  );

  test('does not offer the domain of a public mail provider', async ({ agent, teammates }) => {
    const { workspaceId } = teammates;
    const { id: contactId } = await makeContact(workspaceId, { email: 'ada@gmail.com' });
    const id = await makeConversation({ workspaceId, teammate: teammates.agent }, { contactId });
    expect(await agent.removed.blockChoices({ id })).toEqual([{ kind: 'address', name: 'ada@gmail.com' }]);
    await expect(agent.removed.markSpam({ id, block: 'domain' })).rejects.toThrow('cannot be blocked');
    expect((await db().conversation.findUnique({ where: { id } }))?.removal).toBeNull();
  });
});

describe('a blocked chat', () => {
  test('gets one sentence in the web chat, and only the time is stored', async ({
    agent,
    service,
    teammates,
  }) => {
    const { workspaceId } = teammates;
    const visitor = await makeChatWriter(service.url, workspaceId, { name: 'Ada' });
    const { id } = await db().conversation.findFirstOrThrow({ where: { workspaceId } });
    expect(await agent.removed.blockChoices({ id })).toEqual([{ kind: 'chat', name: 'Ada (Web chat)' }]);
    await agent.removed.markSpam({ id, block: 'chat' });
    const before = await countRows(workspaceId);
    const response = await visitor.write({ content: 'Again' });
    expect([response.status, response.body]).toEqual([
      422,
      { message: 'This team no longer accepts messages from you.' },
    ]);
    expect(await countRows(workspaceId)).toEqual(before);
    expect(await listRefused(workspaceId)).toEqual([expect.stringMatching(/^webchat:/)]);
  });

  test('is ignored on a provider’s channel, and the time of a message is stored', async ({
    agent,
    teammates,
  }) => {
    const { workspaceId } = teammates;
    const data = {
      workspaceId,
      channel: 'telegram',
      externalId: workspaceId,
      name: 'Bot',
      credentials: Buffer.from('x'),
    } as const;
    const { id: accountId } = await db().channelAccount.create({ data });
    const account = { id: accountId, workspaceId, channel: 'telegram' } as Parameters<
      typeof receiveProviderMessage
    >[0];
    const identity = { channel: 'telegram', scope: '', externalId: '7', name: 'Ada', phone: null } as const;
    const message = (externalId: string) => ({
      kind: 'message' as const,
      externalId,
      threadId: '7',
      identity,
      content: 'Hello',
      files: [],
    });
    await receiveProviderMessage(account, message('1'), { isLastAttempt: false });
    const { id } = await db().conversation.findFirstOrThrow({ where: { workspaceId } });
    await agent.removed.markSpam({ id, block: 'chat' });
    const before = await countRows(workspaceId);
    await receiveProviderReaction(account, {
      kind: 'reaction',
      externalId: '1',
      identity,
      added: ['👍'],
      removed: [],
    });
    expect(await listRefused(workspaceId)).toEqual([]);
    await receiveProviderMessage(account, message('2'), { isLastAttempt: false });
    expect(await countRows(workspaceId)).toEqual(before);
    expect(await listRefused(workspaceId)).toEqual(['telegram::7']);
  });
});

async function countRows(workspaceId: string) {
  const where = { workspaceId };
  return [
    await db().message.count({ where }),
    await db().conversation.count({ where }),
    await db().event.count({ where }),
  ];
}
