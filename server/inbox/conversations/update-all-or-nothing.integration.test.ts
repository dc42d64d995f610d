import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { apiClient } from '#test/clients/api-client.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let connection: Awaited<ReturnType<typeof makeConnection>>;
beforeEach(async () => {
  connection = await makeConnection();
});

const ASSIGNEE =
  'The assignee (assignee_id) must be a teammate of this workspace who can take conversations, or none.';
const TEAM = 'The team (team_id) must be a team of this workspace, or none.';

/** Expects that a call returns 422 with these errors and changes nothing in the workspace. */
async function expectNothing(id: string, body: object, errors: Record<string, string[]>): Promise<void> {
  const before = await rowsOfWorkspace(connection.workspaceId);
  const api = apiClient(service.url, connection.accessToken);
  const response = await api('PATCH', `/conversations/${id}`, body);
  const expected = { status: 422, body: { message: Object.values(errors)[0]?.[0], errors } };
  expect({ status: response.status, body: response.body }, JSON.stringify(body)).toEqual(expected);
  expect(await rowsOfWorkspace(connection.workspaceId)).toEqual(before);
}

test('one invalid field prevents the changes of the valid ones', async () => {
  const id = await makeConversation(connection);
  const right = { status: 'solved', priority: 'high', assignee_id: 'none', team_id: 'none' };
  const unknown = randomUUID();
  await expectNothing(id, { ...right, assignee_id: unknown }, { assignee_id: [ASSIGNEE] });
  await expectNothing(id, { ...right, team_id: unknown }, { team_id: [TEAM] });
  const sentence = 'The priority must be one of low, normal, high, urgent.';
  await expectNothing(id, { ...right, priority: 'top' }, { priority: [sentence] });
});

test('an unknown assignee and an unknown team are reported together', async () => {
  const id = await makeConversation(connection);
  const wrong = { assignee_id: (await makeConnection()).teammate.id, team_id: randomUUID() };
  await expectNothing(id, { priority: 'high', ...wrong }, { assignee_id: [ASSIGNEE], team_id: [TEAM] });
});

test('an impossible status is reported together with them, and first', async () => {
  const id = await makeConversation(connection, { status: 'closed' });
  const sentence =
    'The status cannot change from closed to open: a closed conversation stays closed. Only open, pending and solved conversations can change.';
  const wrong = { team_id: randomUUID(), assignee_id: randomUUID(), status: 'open' };
  await expectNothing(id, wrong, { status: [sentence], assignee_id: [ASSIGNEE], team_id: [TEAM] });
});

test('values of wrong types are reported together', async () => {
  const id = await makeConversation(connection);
  await expectNothing(
    id,
    { team_id: 7, status: 'done' },
    {
      status: ['The status must be one of open, pending, solved, closed.'],
      team_id: ['The team (team_id) must be text.'],
    },
  );
});
