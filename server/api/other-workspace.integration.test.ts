import { describe, expect } from 'vitest';
import { apiClient } from '#test/clients/api-client.ts';
import { operations } from '#test/clients/operations.ts';
import { rowsOfWorkspace } from '#test/database/rows-of-workspace.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { makeWholeWorkspace } from '#test/fixtures/whole-workspace.ts';

// An attacker with a connection to their own workspace tries every id of another workspace wherever the API accepts an id.
// The parameters come from the OpenAPI document, the ids from the tables of the other workspace.

const test = serviceTest
  .extend('victim', { scope: 'file' }, ({ service: _ }) => makeWholeWorkspace())
  .extend('attacker', { scope: 'file' }, ({ service: _ }) => makeWholeWorkspace())
  .extend('call', ({ service, attacker }) => connectAgain(service.url, attacker));

describe.each(operations().filter(({ path }) => path.includes('{id}')))('$name', ({ method, path, body }) => {
  test('cannot find or change a record of another workspace', async ({ victim, call }) => {
    const before = await rowsOfWorkspace(victim.workspaceId);
    for (const [kind, id] of idsOf(victim)) {
      const response = await call(method, pathWith(path, id), body?.example);
      const seen = { kind, status: response.status, body: response.body };
      if (method === 'DELETE') expect(seen).toEqual({ kind, status: 200, body: { id, deleted: true } });
      else expect(seen).toMatchObject({ kind, status: 404 });
    }
    expect(await rowsOfWorkspace(victim.workspaceId)).toEqual(before);
  });
});

describe.each(operations().filter(({ queryParameters }) => queryParameters.length > 0))(
  '$name',
  ({ method, path, queryParameters }) => {
    test('finds nothing of another workspace with any filter', async ({ victim, call }) => {
      const before = await rowsOfWorkspace(victim.workspaceId);
      const filters = [...idsOf(victim), ['email', `ada@${victim.workspaceId}.test`], ['tag', 'vip']];
      for (const parameter of queryParameters) {
        for (const [, value = ''] of filters) {
          const response = await call(
            method,
            `${pathWith(path, '')}?${parameter}=${encodeURIComponent(value)}`,
          );
          expect([200, 422]).toContain(response.status);
          for (const [, id] of idsOf(victim)) {
            if (id !== value) expect(JSON.stringify(response.body)).not.toContain(id);
          }
          if (response.status === 200 && path.endsWith('/search')) expect(response.body).toEqual([]);
        }
      }
      expect(await rowsOfWorkspace(victim.workspaceId)).toEqual(before);
    });
  },
);

describe.each(operations().filter(({ body }) => body?.fields.some((field) => field.endsWith('_id'))))(
  '$name',
  ({ method, path, body }) => {
    test('refuses an id of another workspace in its body', async ({ victim, attacker, call }) => {
      const before = await rowsOfWorkspace(attacker.workspaceId);
      for (const field of body?.fields.filter((name) => name.endsWith('_id')) ?? []) {
        for (const [kind, id] of idsOf(victim)) {
          const response = await call(method, pathWith(path, attacker.conversationId), { [field]: id });
          const errors = { [field]: [expect.any(String)] };
          expect({ kind, ...response }).toMatchObject({ kind, status: 422, body: { errors } });
        }
      }
      expect(await rowsOfWorkspace(attacker.workspaceId)).toEqual(before);
    });
  },
);

test('no list shows anything of another workspace', async ({ victim, call }) => {
  for (const { method, path, queryParameters } of operations()) {
    if (method !== 'GET' || queryParameters.length > 0) continue;
    const text = JSON.stringify((await call(method, pathWith(path, ''))).body);
    for (const [kind, id] of idsOf(victim))
      expect({ path, kind, shown: text.includes(id) }).toMatchObject({ shown: false });
  }
});

test('the attempted ids cover every table of the other workspace', async ({ victim }) => {
  expect(idsOf(victim).length).toBeGreaterThanOrEqual(13);
  expect(
    operations()
      .filter(({ path }) => path.includes('{id}'))
      .map(({ name }) => name),
  ).toEqual(
    expect.arrayContaining([
      'PATCH /contacts/{id}',
      'PATCH /conversations/{id}',
      'POST /conversations/{id}/replies',
      'POST /conversations/{id}/notes',
      'POST /conversations/{id}/tags',
      'DELETE /hooks/{id}',
    ]),
  );
});

/** Creates another connection of the workspace, because one connection may make 300 calls a minute. Returns its API client. */
async function connectAgain(url: string, { workspaceId }: { workspaceId: string }) {
  const { accessToken } = await makeConnection({ workspaceId });
  return apiClient(url, accessToken);
}

function idsOf({ accessToken: _, ...ids }: Workspace): [string, string][] {
  return Object.entries(ids);
}

/** Fills in the path parameters. An event key identifies no record, so it stays. */
function pathWith(path: string, id: string): string {
  return path.replace('{id}', id).replace('{event}', 'conversation.created');
}

type Workspace = Awaited<ReturnType<typeof makeWholeWorkspace>>;
