import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { test } from '#test/fixtures/conversation-test.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeUser } from '#test/fixtures/factories.ts';
import type { Api, Connected } from '#test/fixtures/fixture-types.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

test.afterEach(async ({ connection, conversation: id }) => {
  expect(await db().conversation.findUnique({ where: { id } })).toMatchObject({
    status: 'open',
    priority: 'normal',
    assigneeId: connection.teammate.id,
    teamId: expect.any(String),
  });
  expect(await db().timelineEntry.count({ where: { conversationId: id } })).toBe(0);
  expect(await db().event.count({ where: { workspaceId: connection.workspaceId } })).toBe(0);
});

describe('a call without a field is refused under body', () => {
  const NOTHING = { body: ['Send at least one of status, priority, assignee_id and team_id.'] };

  test.for([
    ['nothing', {}],
    ['nulls', { status: null, priority: null, assignee_id: null, team_id: null }],
    ['empty strings', { status: '', priority: '', assignee_id: '', team_id: '' }],
    ['blanks', { status: ' ', priority: '\t', assignee_id: '\n', team_id: '\u00a0' }],
    ['only unknown fields', { subject: 'New', tags: ['a'], id: 'x', Status: 'open' }],
  ])('%s', async ([_what, body], { api, conversation: id }) => {
    await expectRefused(api, id, body, NOTHING);
  });
});

describe('an invalid value is refused', () => {
  const FIELDS = [
    { field: 'status', label: 'status', values: 'open, pending, solved, closed' },
    { field: 'priority', label: 'priority', values: 'low, normal, high, urgent' },
    { field: 'assignee_id', label: 'assignee (assignee_id)', values: undefined },
    { field: 'team_id', label: 'team (team_id)', values: undefined },
  ];

  test.for(FIELDS)(
    '$field: not text, or not storable',
    async ({ field, label }, { api, conversation: id }) => {
      for (const value of [0, 7, true, false, [], ['open'], {}, { id: 'x' }]) {
        await expectRefused(api, id, { [field]: value }, { [field]: [`The ${label} must be text.`] });
      }
      for (const value of ['open\0', '\ud83d']) {
        const sentence = `The ${label} contains a character that cannot be stored. Remove it.`;
        await expectRefused(api, id, { [field]: value }, { [field]: [sentence] });
      }
    },
  );

  test.for(FIELDS.filter(({ values }) => values))(
    '$field: another word',
    async ({ field, label, values }, { api, conversation: id }) => {
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
        await expectRefused(api, id, { [field]: value }, { [field]: [sentence] });
      }
    },
  );

  test.for<[string, (connection: Connected) => Promise<string> | string]>([
    ['is unknown', () => randomUUID()],
    ['is a viewer', async ({ workspaceId }) => (await addTeammate(workspaceId, 'viewer')).id],
    ['is a teammate of another workspace', async () => (await makeConnection()).teammate.id],
    ['is a user without a workspace', async () => (await makeUser('Una')).id],
    ['is an email address', ({ teammate }) => teammate.email],
    ['is the word for no team', () => 'no_team'],
    ['is a special value in upper case', () => 'NONE'],
    ['is very long', () => 'x'.repeat(100_000)],
  ])('assignee_id: a value that %s', async ([_what, make], { api, connection, conversation: id }) => {
    await expectRefused(api, id, { assignee_id: await make(connection) }, { assignee_id: [ASSIGNEE] });
  });

  test.for<[string, (connection: Connected) => Promise<string> | string]>([
    ['is unknown', () => randomUUID()],
    ['is a team of another workspace', async () => makeTeam((await makeConnection()).workspaceId)],
    ['is the word for no assignee', () => 'unassigned'],
    ['is a teammate', ({ teammate }) => teammate.id],
  ])('team_id: a value that %s', async ([_what, make], { api, connection, conversation: id }) => {
    await expectRefused(api, id, { team_id: await make(connection) }, { team_id: [TEAM] });
  });
});

test('one response names every invalid field, whatever is wrong with it', async ({ api, connection }) => {
  const closed = await makeConversation(connection, { status: 'closed' });
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

test('a body that is not JSON is refused under body', async ({ api, conversation: id }) => {
  await expectRefused(api, id, '{"status":', { body: ['The body must be valid JSON in UTF-8.'] });
});

test('one invalid field prevents the changes of the valid ones', async ({ api, connection }) => {
  const id = await makeConversation(connection);
  const right = { status: 'solved', priority: 'high', assignee_id: 'none', team_id: 'none' };
  const unknown = randomUUID();
  await expectNothing(api, connection, id, { ...right, assignee_id: unknown }, { assignee_id: [ASSIGNEE] });
  await expectNothing(api, connection, id, { ...right, team_id: unknown }, { team_id: [TEAM] });
  const sentence = 'The priority must be one of low, normal, high, urgent.';
  await expectNothing(api, connection, id, { ...right, priority: 'top' }, { priority: [sentence] });
});

test('an unknown assignee and an unknown team are reported together', async ({ api, connection }) => {
  const id = await makeConversation(connection);
  const wrong = { assignee_id: (await makeConnection()).teammate.id, team_id: randomUUID() };
  await expectNothing(
    api,
    connection,
    id,
    { priority: 'high', ...wrong },
    { assignee_id: [ASSIGNEE], team_id: [TEAM] },
  );
});

test('an impossible status is reported together with them, and first', async ({ api, connection }) => {
  const id = await makeConversation(connection, { status: 'closed' });
  const sentence =
    'The status cannot change from closed to open: a closed conversation stays closed. Only open, pending and solved conversations can change.';
  const wrong = { team_id: randomUUID(), assignee_id: randomUUID(), status: 'open' };
  await expectNothing(api, connection, id, wrong, {
    status: [sentence],
    assignee_id: [ASSIGNEE],
    team_id: [TEAM],
  });
});

test('values of wrong types are reported together', async ({ api, connection }) => {
  const id = await makeConversation(connection);
  await expectNothing(
    api,
    connection,
    id,
    { team_id: 7, status: 'done' },
    {
      status: ['The status must be one of open, pending, solved, closed.'],
      team_id: ['The team (team_id) must be text.'],
    },
  );
});

const ASSIGNEE =
  'The assignee (assignee_id) must be a teammate of this workspace who can take conversations, or none.';

const TEAM = 'The team (team_id) must be a team of this workspace, or none.';

/** Expects that a call returns 422 with exactly these errors. */
async function expectRefused(
  api: Api,
  id: string,
  body: unknown,
  errors: Record<string, string[]>,
): Promise<void> {
  const response = await api('PATCH', `/conversations/${id}`, body);
  const expected = { status: 422, body: { message: Object.values(errors)[0]?.[0], errors } };
  expect({ status: response.status, body: response.body }, JSON.stringify(body)).toEqual(expected);
}

/** Expects that a call returns 422 with these errors and changes nothing in the workspace. */
async function expectNothing(
  api: Api,
  connection: Connected,
  id: string,
  body: object,
  errors: Record<string, string[]>,
): Promise<void> {
  const before = await rowsOfWorkspace(connection.workspaceId);
  await expectRefused(api, id, body, errors);
  expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
}

const makeTeam = async (workspaceId: string) =>
  (await db().team.create({ data: { workspaceId, name: `Team ${randomUUID()}` } })).id;
