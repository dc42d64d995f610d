import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { runningPostmaster } from '#scripts/postgres/postmaster.ts';
import { isAlive, signal, until } from '#scripts/tools/processes.ts';
import { askPostgres } from '#test/database/ask-postgres.ts';

let dataDir: string;
let folder: string;
const start = () => startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', max_connections: 20 } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  // As root, PostgreSQL runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  dataDir = join(folder, 'database');
});

afterAll(async () => {
  const left = await runningPostmaster(join(dataDir, 'cluster'));
  if (left) signal(left.pid, 'SIGQUIT');
  await until(() => !left || !isAlive(left.pid), 60_000);
  await rm(folder, { recursive: true, force: true });
});

it('starts again after an interrupted start', async () => {
  await mkdir(join(dataDir, 'cluster-unfinished'), { recursive: true });
  await writeFile(join(dataDir, 'cluster-unfinished', 'PG_VERSION'), '18');
  const postgres = await start();
  expect(existsSync(join(dataDir, 'cluster-unfinished'))).toBe(false);
  expect(await askPostgres(postgres.url('postgres'), 'show max_connections')).toBe('20');
  await postgres.stop();
});

it('hides its password from other users', async () => {
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
});

it('keeps its data, and creates a database only once', async () => {
  const first = await start();
  await first.ensureDatabase('pears');
  await askPostgres(first.url('pears'), 'create table kept (id int)');
  await first.stop();
  const second = await start();
  await second.ensureDatabase('pears');
  expect(await askPostgres(second.url('pears'), 'select count(*)::int from kept')).toBe(0);
  await second.stop();
});

it('adopts a running server', async () => {
  const first = await start();
  const second = await start();
  expect(second.port).toBe(first.port);
  await second.stop();
  expect(await runningPostmaster(join(dataDir, 'cluster'))).toBeUndefined();
});

it('recovers from a killed server, also if another process has the same id now', async () => {
  await start();
  const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
  const killed = await runningPostmaster(join(dataDir, 'cluster'));
  if (!killed) throw new Error('The server should be running.');
  signal(killed.pid, 'SIGKILL');
  await until(() => !isAlive(killed.pid), 60_000);
  const text = await readFile(pidFile, 'utf8');
  await writeFile(pidFile, text.replace(String(killed.pid), String(process.pid)));
  const postgres = await start();
  expect(await askPostgres(postgres.url('pears'), 'select 1')).toBe(1);
  await postgres.stop();
});

it('listens on loopback only', async () => {
  const postgres = await start();
  expect(await askPostgres(postgres.url('postgres'), 'show listen_addresses')).toBe('127.0.0.1');
  expect(await askPostgres(postgres.url('postgres'), 'show unix_socket_directories')).toBe('');
  await postgres.stop();
});
