import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { addMember, makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

type Connected = Awaited<ReturnType<typeof makeConnection>>;

const service = withTestService();
let connection: Connected;
let abroad: Connected;
let id: string;
beforeAll(async () => {
  connection = await makeConnection();
  abroad = await makeConnection();
  id = await makeConversation(connection);
});

const ASSIGNEE =
  'The assignee (assignee_id) must be a teammate of this workspace who can take conversations, or none.';
const TEAM = 'The team (team_id) must be a team of this workspace, or none.';

/** Expects that a call returns 422 with exactly these errors. */
async function expectRefused(body: unknown, errors: Record<string, string[]>): Promise<void> {
  const api = apiClient(service.url, connection.accessToken);
  const response = await api('PATCH', `/conversations/${id}`, body);
  const expected = { status: 422, body: { message: Object.values(errors)[0]?.[0], errors } };
  expect({ status: response.status, body: response.body }, JSON.stringify(body)).toEqual(expected);
}

async function makeMember(workspaceId: string, role: 'agent' | 'viewer'): Promise<string> {
  const user = await makeUser('Vic');
  await addMember(workspaceId, user.id, role);
  return user.id;
}
const makeTeam = async (workspaceId: string) =>
  (await db().team.create({ data: { workspaceId, name: `Team ${randomUUID()}` } })).id;

describe('a call without a field is refused under body', () => {
  const NOTHING = { body: ['Send at least one of status, priority, assignee_id and team_id.'] };

  test.each([
    ['nothing', {}],
    ['nulls', { status: null, priority: null, assignee_id: null, team_id: null }],
    ['empty strings', { status: '', priority: '', assignee_id: '', team_id: '' }],
    ['blanks', { status: ' ', priority: '\t', assignee_id: '\n', team_id: '\u00a0' }],
    ['only unknown fields', { subject: 'New', tags: ['a'], id: 'x', Status: 'open' }],
  ])('%s', async (_what, body) => {
    await expectRefused(body, NOTHING);
  });
});

describe('an invalid value is refused', () => {
  const FIELDS = [
    { field: 'status', label: 'status', values: 'open, pending, solved, closed' },
    { field: 'priority', label: 'priority', values: 'low, normal, high, urgent' },
    { field: 'assignee_id', label: 'assignee (assignee_id)', values: undefined },
    { field: 'team_id', label: 'team (team_id)', values: undefined },
  ];

  test.each(FIELDS)('$field: not text, or not storable', async ({ field, label }) => {
    for (const value of [0, 7, true, false, [], ['open'], {}, { id: 'x' }]) {
      await expectRefused({ [field]: value }, { [field]: [`The ${label} must be text.`] });
    }
    for (const value of ['open\0', '\ud83d']) {
      const sentence = `The ${label} contains a character that cannot be stored. Remove it.`;
      await expectRefused({ [field]: value }, { [field]: [sentence] });
    }
  });

  test.each(FIELDS.filter(({ values }) => values))(
    '$field: another word',
    async ({ field, label, values }) => {
      for (const value of [
        'Open',
        'HIGH',
        'none',
        'resolved',
        'open,pending',
        'constructor',
        'x'.repeat(10_000),
      ]) {
        const sentence = `The ${label} must be one of ${values}.`;
        await expectRefused({ [field]: value }, { [field]: [sentence] });
      }
    },
  );

  test.each<[string, () => Promise<string> | string]>([
    ['is unknown', () => randomUUID()],
    ['is a viewer', () => makeMember(connection.workspaceId, 'viewer')],
    ['is a teammate of another workspace', () => makeMember(abroad.workspaceId, 'agent')],
    ['is a user without a workspace', async () => (await makeUser('Una')).id],
    ['is an email address', () => connection.teammate.email],
    ['is the word for no team', () => 'no_team'],
    ['is a special value in upper case', () => 'NONE'],
    ['is very long', () => 'x'.repeat(100_000)],
  ])('assignee_id: a value that %s', async (_what, make) => {
    await expectRefused({ assignee_id: await make() }, { assignee_id: [ASSIGNEE] });
  });

  test.each<[string, () => Promise<string> | string]>([
    ['is unknown', () => randomUUID()],
    ['is a team of another workspace', () => makeTeam(abroad.workspaceId)],
    ['is the word for no assignee', () => 'unassigned'],
    ['is a teammate', () => connection.teammate.id],
  ])('team_id: a value that %s', async (_what, make) => {
    await expectRefused({ team_id: await make() }, { team_id: [TEAM] });
  });
});

test('one response names every invalid field, whatever is wrong with it', async () => {
  const closed = await makeConversation(connection, { status: 'closed' });
  const api = apiClient(service.url, connection.accessToken);
  const body = { status: 'open', priority: 'high!', assignee_id: randomUUID(), team_id: 7 };
  const { status, body: refused } = await api('PATCH', `/conversations/${closed}`, body);
  expect(status).toBe(422);
  expect(refused).toEqual({
    message: 'The priority must be one of low, normal, high, urgent.',
    errors: {
      priority: ['The priority must be one of low, normal, high, urgent.'],
      team_id: ['The team (team_id) must be text.'],
      status: [
        'The status cannot change from closed to open: a closed conversation stays closed. Only open, pending and solved conversations can change.',
      ],
      assignee_id: [ASSIGNEE],
    },
  });
});

test('a body that is not JSON is refused under body', async () => {
  await expectRefused('{"status":', { body: ['The body must be valid JSON in UTF-8.'] });
});

test('the refused calls have not changed the conversation', async () => {
  expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({
    status: 'open',
    priority: 'normal',
    assigneeId: connection.teammate.id,
    teamId: expect.any(String),
  });
  expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(0);
  expect(await db().event.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});
