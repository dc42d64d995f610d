import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();

type Connected = Awaited<ReturnType<typeof makeConnection>>;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const given = { to_email: 'ada@example.com', to_name: 'Ada Lovelace', subject: 'Order', content: 'Hello' };
const create = ({ accessToken }: Connected, body: object = {}) =>
  apiClient(service.url, accessToken)('POST', '/conversations', { ...given, ...body });
const count = ({ workspaceId }: Connected) => db().conversation.count({ where: { workspaceId } });

test('creating a conversation returns 201 with exactly the fields of a Conversation', async () => {
  const connection = await makeConnection();
  const { status, body } = await create(connection, { to_email: ' Ada@Example.COM ', subject: ' Order 7 ' });
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

test('the conversation is assigned to the connecting teammate, and the AI agent is silenced', async () => {
  const connection = await makeConnection();
  const { body } = await create(connection);
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

test('each call creates a conversation, in the workspace of its connection', async () => {
  const here = await makeConnection();
  const there = await makeConnection({ teammate: here.teammate });
  for (const connection of [here, here, there]) expect((await create(connection)).status).toBe(201);
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
  let connection: Connected;
  let foreign: Connected;
  let mailboxes: string[];
  beforeAll(async () => {
    connection = await makeConnection();
    foreign = await makeConnection();
    const { workspaceId } = connection;
    await db().mailbox.create({ data: { workspaceId, address: 'billing@second.test', name: 'Billing' } });
    mailboxes = (await db().mailbox.findMany({ where: { workspaceId } })).map(({ address }) => address);
  });

  const refused = (message: string) => ({ status: 422, body: { message, errors: { to_email: [message] } } });

  test('each mailbox of the workspace, in any letter case', async () => {
    expect(mailboxes).toHaveLength(2);
    for (const address of mailboxes) {
      for (const to_email of [address, address.toUpperCase()]) {
        const { status, body } = await create(connection, { to_email });
        expect({ status, body }).toEqual(refused(OWN));
      }
    }
  });

  test.each(['reply', 'bounce'] as const)('a %s address of the workspace, valid or forged', async (kind) => {
    for (const mailbox of mailboxes) {
      const domain = mailbox.slice(mailbox.indexOf('@') + 1);
      const valid = signedAddress(kind, randomUUID(), domain);
      const forged = [valid.replace(/.@/, (end) => (end === 'a@' ? 'b@' : 'a@')), `${kind}+x@${domain}`];
      for (const to_email of [valid, valid.toUpperCase(), ...forged]) {
        const { status, body } = await create(connection, { to_email });
        expect({ status, body }, to_email).toEqual(refused(OWN));
      }
    }
  });

  test.each(['owner', 'admin', 'agent', 'viewer'] as const)('a teammate who is %s', async (role) => {
    const user = await makeUser('Tom Team');
    await addMember(connection.workspaceId, user.id, role);
    const { status, body } = await create(connection, { to_email: user.email.toUpperCase() });
    expect({ status, body }).toEqual(refused(TEAMMATE));
  });

  test('the connecting teammate', async () => {
    const { status, body } = await create(connection, { to_email: connection.teammate.email });
    expect({ status, body }).toEqual(refused(TEAMMATE));
  });

  test('and the refused calls stored nothing', async () => {
    expect(await count(connection)).toBe(0);
    expect(await db().contact.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
  });

  test('but addresses of mailboxes and teammates of another workspace are accepted', async () => {
    const mailbox = await db().mailbox.findFirstOrThrow({ where: { workspaceId: foreign.workspaceId } });
    const domain = mailbox.address.slice(mailbox.address.indexOf('@') + 1);
    const theirs = [
      mailbox.address,
      foreign.teammate.email,
      `reply+order@${domain}`,
      'bounce+1@elsewhere.test',
    ];
    for (const to_email of theirs) {
      expect((await create(connection, { to_email })).status).toBe(201);
    }
  });
});
