import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { runningPostmaster } from '#scripts/postgres/postmaster.ts';
import { isAlive, signal, until } from '#scripts/tools/processes.ts';
import { queryPostgres } from '#test/database/query-postgres.ts';
import { test as folderTest } from '#test/fixtures/folder-test.ts';

/** `test` with a data folder, whose server is stopped after the last test. */
const test = folderTest.extend('dataDir', { scope: 'file' }, ({ folder }, { onCleanup }) => {
  const dataDir = join(folder, 'database');
  onCleanup(() => stopLeft(dataDir));
  return dataDir;
});

test('starts again after an interrupted start', async ({ dataDir }) => {
  await mkdir(join(dataDir, 'cluster-unfinished'), { recursive: true });
  await writeFile(join(dataDir, 'cluster-unfinished', 'PG_VERSION'), '18');
  const postgres = await start(dataDir);
  expect(existsSync(join(dataDir, 'cluster-unfinished'))).toBe(false);
  expect(await queryPostgres(postgres.url('postgres'), 'show max_connections')).toBe('20');
  await postgres.stop();
});

test('hides its password from other users', async ({ dataDir }) => {
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
});

test('keeps its data, and creates a database only once', async ({ dataDir }) => {
  const first = await start(dataDir);
  await first.ensureDatabase('pears');
  await queryPostgres(first.url('pears'), 'create table kept (id int)');
  await first.stop();
  const second = await start(dataDir);
  await second.ensureDatabase('pears');
  expect(await queryPostgres(second.url('pears'), 'select count(*)::int from kept')).toBe(0);
  await second.stop();
});

test('adopts a running server', async ({ dataDir }) => {
  const first = await start(dataDir);
  const second = await start(dataDir);
  expect(second.port).toBe(first.port);
  await second.stop();
  expect(await runningPostmaster(join(dataDir, 'cluster'))).toBeUndefined();
});

test('recovers from a killed server, even if another process has the same id now', async ({ dataDir }) => {
  await start(dataDir);
  const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
  const killed = await runningPostmaster(join(dataDir, 'cluster'));
  if (!killed) throw new Error('The server should be running.');
  signal(killed.pid, 'SIGKILL');
  await until(() => !isAlive(killed.pid), 60_000);
  const text = await readFile(pidFile, 'utf8');
  await writeFile(pidFile, text.replace(String(killed.pid), String(process.pid)));
  const postgres = await start(dataDir);
  expect(await queryPostgres(postgres.url('pears'), 'select 1')).toBe(1);
  await postgres.stop();
});

test('listens on loopback only', async ({ dataDir }) => {
  const postgres = await start(dataDir);
  expect(await queryPostgres(postgres.url('postgres'), 'show listen_addresses')).toBe('127.0.0.1');
  expect(await queryPostgres(postgres.url('postgres'), 'show unix_socket_directories')).toBe('');
  await postgres.stop();
});

const start = (dataDir: string) =>
  startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', max_connections: 20 } });

async function stopLeft(dataDir: string): Promise<void> {
  const left = await runningPostmaster(join(dataDir, 'cluster'));
  if (left) signal(left.pid, 'SIGQUIT');
  await until(() => !left || !isAlive(left.pid), 60_000);
}
