import { expect } from 'vitest';
import { EXPORT_TABLES } from '#server/administration/export/export-tables.ts';
import { readFiles } from '#server/administration/export/read-files.ts';
import { readRows } from '#server/administration/export/read-rows.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { ALL, NOTHING, test } from '#test/fixtures/replica-test.ts';
import { until } from '#test/fixtures/until.ts';

const FIRST = { from: null, after: null };
/** Names where a statement runs, instead of a list of files. */
const WHERE = { folder: '', statement: `select current_database() as path, $1::uuid, $2::text, $3::uuid` };

test('rows and lists of files of an export are read from the replica, and from the primary while that lags', async ({
  replica,
  teammates: { workspaceId },
}) => {
  await queryPostgres(
    replica.url,
    `insert into workspaces (id, name, plan, updated_at) values ('${workspaceId}', 'As on the replica', 'growth', now())`,
  );
  const workspaces = EXPORT_TABLES.find(({ table }) => table === 'workspaces');
  const isOnReplica = async () => {
    const { lines } = workspaces ? await readRows(workspaces, workspaceId, FIRST) : { lines: [] };
    return lines.some((line) => line.includes('As on the replica'));
  };
  await replica.replayed(ALL);
  await until('the replica is used', isOnReplica);
  expect((await readFiles(WHERE, workspaceId, null)).files).toMatchObject([{ path: replica.name }]);

  await replica.replayed(NOTHING);
  await until('the primary is used', async () => !(await isOnReplica()));
  expect((await readFiles(WHERE, workspaceId, null)).files).not.toMatchObject([{ path: replica.name }]);
});
