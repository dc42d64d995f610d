import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, inject } from 'vitest';
import { settings } from '#server/core/env.ts';
import { deadlocksIn, ON_PURPOSE, watchDeadlocks } from '#test/database/deadlocks.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

test('a deadlock is found in the log with its statements, and an intended one fails no run', async () => {
  const log = inject('databaseLog');
  if (log === '') return;
  const ours = async () => deadlocksIn(await readFile(log, 'utf8')).filter((each) => each.includes(MARK));
  await provokeDeadlock();
  const [found] = await until('the log contains the deadlock', async () => {
    const all = await ours();
    return all.length > 0 ? all : undefined;
  });
  expect(found).toContain(ON_PURPOSE);
  const copy = join(await mkdtemp(join(tmpdir(), 'log-')), 'server.log');
  await writeFile(copy, 'before\n');
  const refuse = await watchDeadlocks(copy);
  await appendFile(copy, found ?? '');
  await refuse();
  await appendFile(copy, (found ?? '').replaceAll(ON_PURPOSE, ''));
  await expect(refuse()).rejects.toThrow('Deadlocks during the tests: 1');
});

/** Identifies the deadlock of this run in a log that may contain earlier ones. */
const MARK = randomUUID();

/** Makes two transactions wait for each other's row. */
async function provokeDeadlock(): Promise<void> {
  const [one, two] = [await makeUser('One'), await makeUser('Two')];
  const clients = [1, 2].map(() => new Client({ connectionString: settings().DATABASE_URL }));
  const rename = (client: Client | undefined, id: string) =>
    client?.query(`update users set name = 'Changed' where id = $1 ${ON_PURPOSE} -- ${MARK}`, [id]);
  try {
    for (const client of clients) await client.connect();
    for (const client of clients) await client.query('begin');
    await rename(clients[0], one.id);
    await rename(clients[1], two.id);
    const results = await Promise.allSettled([rename(clients[0], two.id), rename(clients[1], one.id)]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  } finally {
    for (const client of clients) await client.end();
  }
}
