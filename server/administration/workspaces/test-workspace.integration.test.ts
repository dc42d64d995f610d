import { v7 as uuidv7 } from 'uuid';
import { describe, expect } from 'vitest';
import { createField } from '#server/administration/fields/change-fields.ts';
import { inviteTeammate } from '#server/administration/invitations/invite-teammate.ts';
import { removeMember } from '#server/administration/members/remove-member.ts';
import { setRole } from '#server/administration/members/set-role.ts';
import { createTestWorkspace } from '#server/administration/workspaces/create-test-workspace.ts';
import { deleteWorkspace } from '#server/administration/workspaces/delete-workspace.ts';
import { addDomain } from '#server/administration/workspaces/email-domains.ts';
import {
  getOutboxMessage,
  listOutbox,
  removeOldOutboxMessages,
} from '#server/administration/workspaces/test-outbox.ts';
import { writeAsContact } from '#server/administration/workspaces/write-as-contact.ts';
import { createToken } from '#server/automation/tokens/api-tokens.ts';
import { listFields } from '#server/contacts/custom-fields.ts';
import { db } from '#server/core/database/prisma.ts';
import { divertMessage, OUTBOX_MAX } from '#server/core/divert-message.ts';
import type { Channel } from '#server/generated/prisma/enums.ts';
import { connectAccount } from '#server/inbox/channels/accounts/connect-account.ts';
import { sealCredentials } from '#server/inbox/channels/accounts/seal-credentials.ts';
import { CHANNELS } from '#server/inbox/channels/channels.ts';
import { writeFieldConditions } from '#server/inbox/lists/field-conditions.ts';
import { receiveNew } from '#server/inbox/messages/receive-message.ts';
import { sendQueuedMessage } from '#server/inbox/messages/send-queued-message.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { askForRating } from '#server/inbox/ratings/ask-for-rating.ts';
import { developerClient } from '#test/clients/api-client.ts';
import { failWrites } from '#test/faults/fail-writes.ts';
import { makeApiToken } from '#test/fixtures/api-tokens.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test as mailTest } from '#test/fixtures/mail-test.ts';
import type { Teammates } from '#test/fixtures/teammates.ts';
import { until } from '#test/fixtures/until.ts';
import { startProvider } from '#test/servers/provider-server.ts';

/** `test` with a mail server and a provider on real sockets. `tested`: a workspace and its test workspace. */
const test = mailTest
  .extend('provider', { scope: 'file' }, async ({ mailServer: _ }, { onCleanup }) => {
    const server = await startProvider();
    onCleanup(() => server.stop());
    return server;
  })
  .extend('settings', { scope: 'file' }, ({ provider: { url } }) => ({
    META_API_URL: url,
    SLACK_API_URL: `${url}/api/`,
    TELEGRAM_API_URL: url,
  }))
  .extend('tested', async ({ teammates }) => {
    const { workspaceId, owner: by } = teammates;
    return { ...teammates, test: await createTestWorkspace({ workspaceId, by }) };
  });

/** Where a reply on each channel ends in a test workspace. A new channel has to say so. */
const ENDS: Record<Channel, 'outbox' | 'conversation'> = {
  email: 'outbox',
  webchat: 'conversation',
  whatsapp: 'outbox',
  instagram: 'outbox',
  messenger: 'outbox',
  telegram: 'outbox',
  slack: 'outbox',
};

describe('nothing leaves a test workspace:', () => {
  test('the table names every channel', () => {
    expect(Object.keys(ENDS).sort()).toEqual(Object.keys(CHANNELS).sort());
  });

  for (const [channel, end] of Object.entries(ENDS) as [Channel, 'outbox' | 'conversation'][]) {
    test(`a reply on ${channel} ends in the ${end}, while that of its workspace is sent`, async ({
      tested,
      mailServer,
      provider,
    }) => {
      const { workspaceId, owner, test } = tested;
      provider.calls.length = 0;
      const answer = async (where: string, id: string) =>
        sendReply({
          workspaceId: where,
          id,
          actor: { kind: 'teammate', teammate: owner },
          content: 'On its way.',
        });
      const inTest = await startIn(test.id, channel, owner);
      const reply = await answer(test.id, inTest);
      expect(reply).toMatchObject({
        send_status: end === 'outbox' ? 'sent' : null,
        delivery_error: null,
      });
      expect([mailServer.received, provider.calls]).toEqual([[], []]);
      const { messages } = await listOutbox(db(), { workspaceId: test.id, before: undefined });
      expect(messages).toMatchObject(
        end === 'outbox' ? [{ channel, start: expect.stringContaining('On its way.') }] : [],
      );
      // The same reply of the workspace itself shows that the sockets would have been reached.
      await answer(workspaceId, await startLive(tested, channel));
      expect(mailServer.received.length + provider.calls.length > 0).toBe(end === 'outbox');
      expect((await listOutbox(db(), { workspaceId, before: undefined })).messages).toEqual([]);
    });
  }

  test('an email keeps its copies and its files in the outbox', async ({
    tested: { test, owner },
    mailServer,
  }) => {
    const id = await startIn(test.id, 'email', owner);
    await sendReply({
      workspaceId: test.id,
      id,
      actor: { kind: 'teammate', teammate: owner },
      content: 'See below.',
      cc: ['grace@example.com'],
      bcc: ['alan@example.com'],
    });
    const { messages } = await listOutbox(db(), { workspaceId: test.id, before: undefined });
    expect(messages).toMatchObject([
      { recipients: ['Ada <ada@example.com>'], subject: 'Re: Where is my order?' },
    ]);
    const [message] = messages;
    expect(await getOutboxMessage(db(), { workspaceId: test.id, id: message?.id ?? '' })).toMatchObject({
      sender: expect.stringMatching(/^Olivia Owen <inbox@test-[0-9a-f]{12}\.invalid>$/),
      cc: ['grace@example.com'],
      bcc: ['alan@example.com'],
      content: expect.stringContaining('See below.'),
    });
    expect(mailServer.received).toEqual([]);
  });

  test('notifications by email and requests for a rating do not, either', async ({
    tested: { test, owner, admin },
    mailServer,
    worker: _,
  }) => {
    await createToken({ workspaceId: test.id, by: admin, label: 'Sync', abilities: ['read'], lastDay: null });
    const id = await startIn(test.id, 'email', owner);
    await db().conversation.update({ where: { id }, data: { status: 'solved', resolvedAt: new Date() } });
    await askForRating(id);
    const subjects = await until('both are in the outbox', async () => {
      const { messages } = await listOutbox(db(), { workspaceId: test.id, before: undefined });
      return messages.length === 2 && messages.map(({ subject }) => subject).sort();
    });
    expect(subjects).toEqual([
      'Adam Admin created an API token for Acme (test)',
      'How did we do with “Where is my order?”?',
    ]);
    expect(mailServer.received).toEqual([]);
  });

  test('a conversation that a program starts does not', async ({
    tested,
    service,
    mailServer,
    worker: _,
  }) => {
    const { test, owner } = tested;
    const { token } = await makeApiToken({ where: { workspaceId: test.id, by: owner } });
    const { status } = await developerClient(service.url, token)('POST', '/conversations', {
      to_email: 'grace@example.com',
      subject: 'Your order',
      content: 'It left us this morning.',
    });
    expect(status).toBe(201);
    const sent = await until('it is in the outbox', async () => {
      const { messages } = await listOutbox(db(), { workspaceId: test.id, before: undefined });
      return messages.find(({ subject }) => subject === 'Your order');
    });
    expect(sent).toMatchObject({ recipients: ['grace@example.com'], channel: 'email' });
    await until('it counts as sent', () =>
      db().message.count({ where: { workspaceId: test.id, sendStatus: 'sent' } }),
    );
    expect(mailServer.received).toEqual([]);
  });

  test('it has no account at a provider and no domain, which the database refuses as well', async ({
    tested: { test, owner },
    provider,
  }) => {
    provider.calls.length = 0;
    const by = { workspaceId: test.id, by: owner };
    const refused = { message: expect.stringContaining('without connecting them') };
    await expect(
      connectAccount({ ...by, channel: 'telegram', fields: { botToken: '1:a' } }),
    ).rejects.toMatchObject(refused);
    await expect(addDomain({ ...by, domain: 'acme.test' })).rejects.toMatchObject(refused);
    expect(provider.calls).toEqual([]);
    await expect(
      db().channelAccount.create({
        data: { workspaceId: test.id, channel: 'slack', externalId: 'T1', name: 'x' },
      }),
    ).rejects.toThrow();
    await expect(
      db().emailDomain.create({
        data: { workspaceId: test.id, domain: 'acme.test', verificationToken: 'x' },
      }),
    ).rejects.toThrow();
  });

  test('it stays a test workspace, whatever statement tries to change that', async ({ tested: { test } }) => {
    await expect(
      db().workspace.update({ where: { id: test.id }, data: { testOfId: null } }),
    ).rejects.toThrow();
  });
});

test.for<Channel>(['email', 'telegram'])(
  'a message on %s that the database did not let pass was not sent, and is sent once by the next attempt',
  async (channel, { tested, mailServer, provider }) => {
    provider.calls.length = 0;
    provider.respond(() => ({ json: { ok: true, result: { message_id: 7, chat: { id: 4930123456 } } } }));
    const { workspaceId, owner } = tested;
    const conversationId = await startLive(tested, channel);
    const author = { authorKind: 'teammate', authorId: owner.id, authorName: owner.name } as const;
    const reply = { workspaceId, conversationId, direction: 'outbound', ...author } as const;
    const { id } = await db().message.create({
      data: { ...reply, content: 'On its way.', sendStatus: 'queued' },
    });
    const status = async () => (await db().message.findUniqueOrThrow({ where: { id } })).sendStatus;
    const succeed = await failWrites(['outbox_messages'], { message: 'the disk is full' });
    await sendQueuedMessage(id);
    await succeed();
    expect([await status(), mailServer.received, provider.calls]).toEqual(['queued', [], []]);
    await sendQueuedMessage(id);
    await sendQueuedMessage(id);
    expect([await status(), mailServer.received.length + provider.calls.length]).toEqual(['sent', 1]);
  },
);

describe('a test workspace is created', () => {
  test('with the settings, teammates and teams of its workspace, and without its data and secrets', async ({
    teammates: { workspaceId, owner, agent },
  }) => {
    const team = await db().team.create({ data: { workspaceId, name: 'Billing' } });
    await db().teamMember.create({ data: { workspaceId, teamId: team.id, userId: agent.id } });
    await db().workspace.update({
      where: { id: workspaceId },
      data: { closeSolvedAfterDays: 7, country: 'DE' },
    });
    const actions = { tags: ['refund'], assigneeId: agent.id, teamId: team.id, status: null };
    const condition = { channels: [], words: ['refund'], emailDomain: null };
    await db().flow.create({ data: { workspaceId, name: 'Refunds', condition, actions } });
    await db().savedView.create({ data: { workspaceId, name: 'Bills', filters: { teamId: team.id } } });
    const reply = { workspaceId, createdByName: 'Olivia Owen', name: 'Hello', content: 'Hello there' };
    await db().savedReply.createMany({ data: [reply, { ...reply, name: 'Mine', ownerId: owner.id }] });
    await db().tag.create({ data: { workspaceId, key: 'refund', name: 'Refund', tint: 2 } });
    await makeConversation({ workspaceId, teammate: owner });
    await makeApiToken({ where: { workspaceId, by: owner } });

    const { id, name } = await createTestWorkspace({ workspaceId, by: owner });
    const made = await db().workspace.findUniqueOrThrow({
      where: { id },
      include: {
        members: true,
        teams: { include: { members: true } },
        flows: true,
        savedViews: true,
        savedReplies: true,
        tags: true,
      },
    });
    expect(name).toBe('Acme (test)');
    expect(made).toMatchObject({
      testOfId: workspaceId,
      plan: 'growth',
      closeSolvedAfterDays: 7,
      country: 'DE',
    });
    expect(made.members.map(({ role }) => role).sort()).toEqual(['admin', 'agent', 'owner', 'viewer']);
    const [copied] = made.teams.filter((each) => each.name === 'Billing');
    expect(copied?.id).not.toBe(team.id);
    expect(copied?.members).toMatchObject([{ userId: agent.id }]);
    expect(made.flows).toMatchObject([
      { name: 'Refunds', condition, actions: { ...actions, teamId: copied?.id } },
    ]);
    expect(made.savedViews).toMatchObject([{ filters: { teamId: copied?.id } }]);
    expect(made.savedReplies).toMatchObject([{ name: 'Hello', content: 'Hello there' }]);
    expect(made.tags).toMatchObject([{ name: 'Refund', tint: 2 }]);
    const where = { workspaceId: id };
    expect(
      await Promise.all([
        db().contact.count({ where }),
        db().conversation.count({ where }),
        db().apiToken.count({ where }),
        db().connection.count({ where }),
        db().integration.count({ where }),
        db().webhookEndpoint.count({ where }),
      ]),
    ).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('with the custom fields that its saved replies and views use', async ({
    teammates: { workspaceId, owner: by },
  }) => {
    const contact = { workspaceId, by, subject: 'contact' as const };
    const choices = [{ name: 'Basic' }, { name: 'Pro' }];
    const { id: fieldId } = await createField({ ...contact, type: 'choice', name: 'Plan', choices });
    const gone = await createField({ ...contact, type: 'text', name: 'Gone', choices: [] });
    await db().customField.update({ where: { id: gone.id }, data: { deletedAt: new Date() } });
    const pro = await db().fieldChoice.findFirstOrThrow({ where: { fieldId, name: 'Pro' } });
    const filterBy = (field: string, choice = '') =>
      writeFieldConditions([{ subject: 'contact', fieldId: field, operator: 'any', values: [choice] }]);
    const filters = { fields: filterBy(fieldId, pro.id) ?? '' };
    await db().savedView.create({ data: { workspaceId, name: 'Pro', filters } });

    const { id } = await createTestWorkspace({ workspaceId, by });
    const fields = await listFields(db(), id);
    expect(fields).toMatchObject([{ subject: 'contact', type: 'choice', name: 'Plan', choices }]);
    const copied = fields[0];
    expect(copied?.id).not.toBe(fieldId);
    const [view] = await db().savedView.findMany({ where: { workspaceId: id } });
    expect(view?.filters).toEqual({ fields: filterBy(copied?.id ?? '', copied?.choices[1]?.id) });
  });

  test('by owners only, once at a time, and not of a test workspace', async ({ teammates }) => {
    const { workspaceId, owner, admin } = teammates;
    await expect(createTestWorkspace({ workspaceId, by: admin })).rejects.toMatchObject({
      refusal: 'forbidden',
    });
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => createTestWorkspace({ workspaceId, by: owner })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const [made] = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await expect(createTestWorkspace({ workspaceId: made?.id ?? '', by: owner })).rejects.toThrow(
      'test workspace itself',
    );
    await deleteWorkspace({ workspaceId: made?.id ?? '', name: 'Acme (test)', by: owner });
    await createTestWorkspace({ workspaceId, by: owner });
  });
});

describe('the teammates of a test workspace', () => {
  test('follow those of its workspace, and cannot be changed in it', async ({ tested }) => {
    const { workspaceId, owner, admin, agent, test } = tested;
    const roleIn = async (userId: string) =>
      (await db().member.findFirst({ where: { workspaceId: test.id, userId } }))?.role;
    await setRole({ workspaceId, userId: agent.id, role: 'admin', by: owner });
    expect(await roleIn(agent.id)).toBe('admin');
    await removeMember({ workspaceId, userId: admin.id, by: owner });
    expect(await roleIn(admin.id)).toBeUndefined();
    const there = { workspaceId: test.id, by: owner };
    const refused = { refusal: 'forbidden', message: expect.stringContaining('Change them there') };
    await expect(setRole({ ...there, userId: agent.id, role: 'viewer' })).rejects.toMatchObject(refused);
    await expect(removeMember({ ...there, userId: agent.id })).rejects.toMatchObject(refused);
    // The outbox would show the link, with which anybody could create an account for the address.
    const invitation = { ...there, email: 'ceo@victim.test', role: 'agent' as const };
    await expect(inviteTeammate(invitation)).rejects.toMatchObject(refused);
  });

  test('lose it with its workspace, when that is deleted', async ({ tested }) => {
    const { workspaceId, owner, test } = tested;
    const { token } = await makeApiToken({ where: { workspaceId: test.id, by: owner } });
    await deleteWorkspace({ workspaceId, name: 'Acme', by: owner });
    const deleted = await db().workspace.findMany({ where: { id: { in: [workspaceId, test.id] } } });
    expect(deleted.map(({ deletedAt }) => deletedAt !== null)).toEqual([true, true]);
    expect(await db().apiToken.count({ where: { workspaceId: test.id, revokedAt: null } })).toBe(0);
    expect(token).toMatch(/^inbox_pk_test_/);
  });
});

test('a token reads and changes only its own workspace, live or test', async ({ service, tested }) => {
  const { workspaceId, owner, test } = tested;
  const live = await makeApiToken({ where: { workspaceId, by: owner } });
  const ofTest = await makeApiToken({ where: { workspaceId: test.id, by: owner } });
  expect([live.token, ofTest.token]).toEqual([
    expect.stringMatching(/^inbox_pk_live_[0-9A-Za-z]{32}$/),
    expect.stringMatching(/^inbox_pk_test_[0-9A-Za-z]{32}$/),
  ]);
  const there = await makeConversation({ workspaceId, teammate: owner });
  const inTest = await startIn(test.id, 'email', owner);
  for (const [token, isTest, own, other] of [
    [live.token, false, there, inTest],
    [ofTest.token, true, inTest, there],
  ] as const) {
    const call = developerClient(service.url, token);
    expect((await call('GET', '/me')).body).toMatchObject({ workspace: { is_test: isTest } });
    expect((await call('GET', `/conversations/${own}`)).status).toBe(200);
    expect((await call('GET', `/conversations/${other}`)).status).toBe(404);
    expect((await call('PATCH', `/conversations/${other}`, { status: 'closed' })).status).toBe(404);
    const { data } = (await call('GET', '/conversations')).body as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual([own]);
  }
});

describe('a test contact', () => {
  test('continues an email without a subject, and a chat', async ({ tested: { test } }) => {
    const email = { channel: 'email', name: 'Ada', address: 'ada@example.com', content: 'Hello' } as const;
    const first = await writeAsContact(test.id, { ...email, subject: 'Order' });
    expect(await writeAsContact(test.id, { ...email, subject: '' })).toMatchObject({
      conversationId: first.conversationId,
      contactId: first.contactId,
    });
    expect((await writeAsContact(test.id, { ...email, subject: 'Other' })).conversationId).not.toBe(
      first.conversationId,
    );
    const chat = {
      channel: 'whatsapp',
      name: 'Ada',
      address: '+49 30 123456',
      subject: '',
      content: 'Hi',
    } as const;
    const begun = await writeAsContact(test.id, chat);
    expect(await writeAsContact(test.id, { ...chat, address: '+4930123456' })).toMatchObject({
      conversationId: begun.conversationId,
    });
  });

  test('is refused with every invalid field, with an address of the team, and outside a test workspace', async ({
    tested: { test, workspaceId, owner },
  }) => {
    const typed = { channel: 'email', name: '', address: 'ada', subject: '', content: ' ' } as const;
    await expect(writeAsContact(test.id, typed)).rejects.toMatchObject({
      errors: { address: [expect.anything()], content: [expect.anything()] },
    });
    const own = writeAsContact(test.id, { ...typed, address: owner.email, content: 'Hi' });
    await expect(own).rejects.toMatchObject({ errors: { address: [expect.stringContaining('teammate')] } });
    const live = writeAsContact(workspaceId, { ...typed, address: 'ada@example.com', content: 'Hi' });
    await expect(live).rejects.toMatchObject({ refusal: 'forbidden' });
  });
});

test('an outbox is read in pages and stores its newest thousand messages, for HISTORY_DAYS', async ({
  tested: { test },
}) => {
  const ids = Array.from({ length: OUTBOX_MAX + 20 }, () => uuidv7());
  const row = {
    workspaceId: test.id,
    channel: 'email' as const,
    sender: 'a',
    recipients: ['b'],
    cc: [],
    bcc: [],
    fileNames: [],
  };
  await db().outboxMessage.createMany({ data: ids.map((id, n) => ({ ...row, id, content: `${n}` })) });
  expect(await divertMessage({ ...row, content: 'newest' })).toBe(true);
  expect(await db().outboxMessage.count({ where: { workspaceId: test.id } })).toBe(OUTBOX_MAX);
  const page = await listOutbox(db(), { workspaceId: test.id, before: undefined });
  expect(page.messages).toHaveLength(50);
  expect(page.messages[0]).toMatchObject({ start: 'newest' });
  const next = await listOutbox(db(), { workspaceId: test.id, before: page.older ?? '' });
  expect(next.messages[0]?.start).toBe(String(ids.length - 50));
  await db()
    .$executeRaw`update outbox_messages set created_at = now() - interval '15 days' where content <> 'newest'`;
  await removeOldOutboxMessages();
  expect(await db().outboxMessage.count({ where: { workspaceId: test.id } })).toBe(1);
});

/** Starts a conversation of a contact in a test workspace. Returns its id. */
async function startIn(workspaceId: string, channel: Channel, teammate: Teammates['owner']): Promise<string> {
  if (channel === 'webchat') return makeConversation({ workspaceId, teammate }, { channel });
  const address = channel === 'email' ? 'ada@example.com' : channel === 'whatsapp' ? '+4930123456' : 'ada';
  const typed = { name: 'Ada', address, subject: 'Where is my order?', content: 'Hello' };
  return (await writeAsContact(workspaceId, { ...typed, channel })).conversationId;
}

/** Starts a conversation on a connected account of a workspace. Returns its id. */
async function startLive({ workspaceId, owner }: Teammates, channel: Channel): Promise<string> {
  if (channel === 'webchat' || channel === 'email')
    return makeConversation({ workspaceId, teammate: owner }, { channel });
  const id = uuidv7();
  const credentials = sealCredentials(id, { accessToken: 'token', appSecret: 'secret', botToken: '1:token' });
  await db().channelAccount.create({
    data: {
      id,
      workspaceId,
      channel,
      externalId: BigInt(`0x${id.slice(-12)}`).toString(),
      name: channel,
      credentials,
    },
  });
  const externalId = '4930123456';
  const identity = { channel, scope: '', externalId, name: 'Ada', phone: null };
  const message = { workspaceId, channel, content: 'Hello', externalThreadId: externalId, externalId: null };
  const received = await receiveNew({ ...message, channelAccountId: id }, { kind: 'thread', identity });
  return received.conversationId;
}
