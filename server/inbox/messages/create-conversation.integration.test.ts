import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { refused } from '#test/fixtures/refused.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

test('creating a conversation returns 201 with exactly the fields of a Conversation', async ({
  api,
  connection,
}) => {
  const { status, body } = await create(api, {
    to_email: ' Ada@Example.COM ',
    subject: ' Order 7 ',
  });
  expect(status).toBe(201);
  const { id, contact } = body as { id: string; contact: { id: string } };
  expect(body).toEqual({
    id: expect.any(String),
    subject: 'Order 7',
    status: 'open',
    priority: 'normal',
    channel: 'email',
    tags: [],
    assignee: connection.teammate,
    team: null,
    contact: {
      id: expect.any(String),
      name: 'Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      phone: null,
      city: null,
      language: null,
      company: null,
      created_at: expect.stringMatching(TIMESTAMP),
      url: `http://inbox.test/contacts/${contact.id}`,
    },
    created_at: expect.stringMatching(TIMESTAMP),
    updated_at: expect.stringMatching(TIMESTAMP),
    resolved_at: null,
    url: `http://inbox.test/inbox?selected=${id}`,
  });
  for (const each of [id, contact.id]) expect(each[14]).toBe('7');
});

test('an address that a contact has by a merge gets the message itself', async ({
  api,
  connection: { workspaceId, teammate },
}) => {
  const [into, from] = await Promise.all(
    ['ada@example.com', 'ada@old.example'].map((email) =>
      db().contact.create({ data: { workspaceId, email } }),
    ),
  );
  if (!into || !from) throw new Error('There are two contacts.');
  const actor = { kind: 'teammate', teammate } as const;
  await mergeContacts({ workspaceId, id: from.id, intoId: into.id, actor });
  for (const [to_email, mailTo] of [
    ['Ada@old.example', ['ada@old.example']],
    ['ada@example.com', []],
  ] as const) {
    const { body } = await create(api, { to_email });
    const { id } = body as { id: string };
    expect(body).toMatchObject({ contact: { id: into.id, email: 'ada@example.com' } });
    expect(await db().message.findMany({ where: { conversationId: id } })).toMatchObject([{ mailTo }]);
  }
});

test('the conversation is assigned to the connecting teammate, and the AI agent is silenced', async ({
  api,
  connection,
}) => {
  const { body } = await create(api);
  const { id } = body as { id: string };
  const conversation = await db().conversation.findUniqueOrThrow({
    where: { id },
    include: { mailbox: true, timeline: { orderBy: { id: 'asc' } } },
  });
  expect(conversation).toMatchObject({
    workspaceId: connection.workspaceId,
    assigneeId: connection.teammate.id,
    assignedAt: expect.any(Date),
    aiAgentSilenced: true,
    isTest: false,
    mailbox: { isDefault: true, workspaceId: connection.workspaceId },
  });
  const by = {
    actorKind: 'workflow',
    actorId: connection.teammate.id,
    actorName: connection.teammate.name,
    connectionId: connection.id,
  };
  expect(conversation.timeline).toMatchObject([
    { kind: 'created', ...by },
    { kind: 'assigned', ...by },
  ]);
});

test('each call creates a conversation, in the workspace of its connection', async ({
  service,
  api,
  connection: here,
}) => {
  const there = await makeConnection({ teammate: here.teammate });
  const apiThere = apiClient(service.url, there.accessToken);
  for (const call of [api, api, apiThere]) expect((await create(call)).status).toBe(201);
  expect([await count(here), await count(there)]).toEqual([2, 1]);
  for (const { workspaceId } of [here, there]) {
    expect(await db().contact.count({ where: { workspaceId } })).toBe(1);
  }
});

describe('an address that cannot be a contact’s is refused', () => {
  const OWN =
    'The recipient’s email address (to_email) is one of this workspace’s own. Give the address of a contact.';
  const TEAMMATE =
    'The recipient’s email address (to_email) belongs to a teammate of this workspace. Give the address of a contact.';
  /** Expects that an address is refused and that nothing is stored. */
  async function expectRefused(api: Api, connection: Connected, to_email: string, sentence: string) {
    const { status, body } = await create(api, { to_email });
    expect({ status, body }).toEqual(refused('to_email', sentence));
    expect(await count(connection)).toBe(0);
    expect(await db().contact.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
  }

  test('each mailbox of the workspace, in any letter case', async ({ api, connection }) => {
    const { workspaceId } = connection;
    await db().mailbox.create({ data: { workspaceId, address: 'billing@second.test', name: 'Billing' } });
    const mailboxes = await db().mailbox.findMany({ where: { workspaceId } });
    expect(mailboxes).toHaveLength(2);
    for (const { address } of mailboxes) {
      await expectRefused(api, connection, address, OWN);
      await expectRefused(api, connection, address.toUpperCase(), OWN);
      await expectRefused(api, connection, address.replace('@', '+billing@'), OWN);
    }
  });

  test.for(['reply', 'bounce'] as const)(
    'a %s address of the workspace, valid or forged',
    async (kind, { api, connection }) => {
      const { workspaceId } = connection;
      await db().mailbox.create({
        data: { workspaceId, address: `billing@${kind}.third.test`, name: 'Billing' },
      });
      for (const { address } of await db().mailbox.findMany({ where: { workspaceId } })) {
        const domain = address.slice(address.indexOf('@') + 1);
        const valid = signedAddress(kind, randomUUID(), domain);
        const forged = [valid.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@')), `${kind}+x@${domain}`];
        for (const to of [valid, valid.toUpperCase(), ...forged])
          await expectRefused(api, connection, to, OWN);
      }
    },
  );

  test.for(['owner', 'admin', 'agent', 'viewer'] as const)(
    'a teammate who is %s',
    async (role, { api, connection }) => {
      const { email } = await addTeammate(connection.workspaceId, role, 'Tom Team');
      await expectRefused(api, connection, email.toUpperCase(), TEAMMATE);
    },
  );

  test('the connecting teammate', async ({ api, connection }) => {
    await expectRefused(api, connection, connection.teammate.email, TEAMMATE);
  });

  test('but addresses of mailboxes and teammates of another workspace are accepted', async ({
    api,
    stranger,
  }) => {
    const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId: stranger.workspaceId } });
    const domain = mailbox.address.slice(mailbox.address.indexOf('@') + 1);
    const theirs = [
      mailbox.address,
      stranger.teammate.email,
      `reply+order@${domain}`,
      'bounce+1@elsewhere.test',
    ];
    for (const to_email of theirs) {
      expect((await create(api, { to_email })).status).toBe(201);
    }
  });
});

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

const input = { to_email: 'ada@example.com', to_name: 'Ada Lovelace', subject: 'Order', content: 'Hello' };

const create = (api: Api, body: object = {}) => api('POST', '/conversations', { ...input, ...body });

const count = ({ workspaceId }: Connected) => db().conversation.count({ where: { workspaceId } });
