import { expect, test } from 'vitest';
import { pool } from '#server/core/database/db.ts';
import { apiClient } from '#test/api-client.ts';
import { connect, makeConnection, makeUser, makeWorkspace } from '#test/factories.ts';
import { rowsOfWorkspace } from '#test/rows-of-workspace.ts';
import { withTestService } from '#test/with-service.ts';

const service = withTestService();

/** What a workspace and its only connection consist of, but for ids, digests, moments and random names. */
async function shapeOf(workspaceId: string, connectionId: string): Promise<string> {
  const rows: Record<string, unknown> = await rowsOfWorkspace(workspaceId);
  for (const table of ['authorization_codes', 'access_tokens', 'refresh_tokens']) {
    const found = await pool().query(`select to_jsonb(t) as row from ${table} t where connection_id = $1`, [
      connectionId,
    ]);
    rows[table] = found.rows;
  }
  return JSON.stringify(rows, undefined, 1)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '(id)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g, '(moment)')
    .replaceAll(/x[0-9a-f]{64}/g, '(digest)')
    .replaceAll(/\b[0-9a-f]{8}\b/g, '(tag)');
}

test('the connection that tests begin with is the one that its owner and the platform make', async () => {
  const inserted = await makeConnection();
  const workspaceId = (await makeWorkspace()).id;
  const owner = await makeUser(undefined, { workspaceId, role: 'owner' });
  const made = await connect(workspaceId, owner);
  expect(await shapeOf(inserted.workspaceId, inserted.id)).toBe(await shapeOf(workspaceId, made.id));
  expect(await shapeOf(workspaceId, made.id)).toContain('(digest)');
  const responses = await Promise.all(
    [inserted, made].map(({ accessToken }) => apiClient(service.url, accessToken)('GET', '/me')),
  );
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
});
