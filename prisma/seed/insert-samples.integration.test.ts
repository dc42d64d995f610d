import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { PEOPLE } from '#prisma/seed/people.ts';
import { seedDemoData } from '#prisma/seed.ts';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { db, pool } from '#server/core/database/db.ts';
import { settings } from '#server/core/env.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';

const service = withTestService();
let samples: ReturnType<typeof sampleClient>;
beforeAll(async () => {
  await seedDemoData(settings().DATABASE_URL);
  const workspace = await db().workspace.findFirstOrThrow({ where: { name: 'Demo Growth' } });
  const teammate = await db().user.findUniqueOrThrow({ where: { email: PEOPLE.owner.email } });
  const { accessToken } = await makeConnection({ workspaceId: workspace.id, teammate });
  samples = sampleClient(service.url, accessToken);
});

describe('the demo workspace on Growth', () => {
  test.each(EVENT_KEYS)('has samples of %s', async (key) => {
    const found = await samples(key);
    expect(found.length).toBeGreaterThan(0);
    const moments = found.map((sample) => sample.occurred_at);
    expect(moments).toEqual(moments.toSorted().toReversed());
  });

  test('has samples of taggings and commands under their filters', async () => {
    const [tagged] = await db().taggingTag.findMany({
      where: { tagging: { conversation: { workspace: { name: 'Demo Growth' }, mergedIntoId: null } } },
      take: 1,
    });
    expect(await samples('conversation.tagged', { tag: tagged?.name.toUpperCase() ?? '' })).not.toEqual([]);
    const [run] = await samples('operator.command');
    const command = run?.event === 'operator.command' ? run.command : '';
    expect(await samples('operator.command', { command })).toContainEqual(run);
  });
});

test('what the demo data note is what the migration would note of them', async () => {
  const rows = () =>
    db().sample.findMany({ orderBy: [{ conversationId: 'asc' }, { event: 'asc' }, { filter: 'asc' }] });
  const noted = await rows();
  expect(noted.length).toBeGreaterThan(EVENT_KEYS.length);
  await db().sample.deleteMany();
  await pool().query(await backfill());
  expect(await rows()).toEqual(noted);
});

/** The statement of the migration that fills `samples`. */
async function backfill(): Promise<string> {
  const migrations = new URL('../migrations/', import.meta.url);
  const name = (await readdir(migrations)).find((folder) => folder.endsWith('_samples'));
  const sql = await readFile(new URL(`${name}/migration.sql`, migrations), 'utf8');
  return sql.slice(sql.indexOf('insert into "samples"'));
}
