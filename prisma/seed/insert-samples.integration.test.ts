import { describe, expect } from 'vitest';
import { PEOPLE } from '#prisma/seed/people.ts';
import { seedDemoData } from '#prisma/seed.ts';
import { EVENT_KEYS } from '#server/contract/event-catalogue.ts';
import { pool } from '#server/core/database/pools.ts';
import { db } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { sampleClient } from '#test/clients/sample-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

/** `test` with demo data. `samples` reads the samples of the demo workspace on Growth. */
const test = serviceTest.extend('samples', { scope: 'file', auto: true }, ({ service }) => seed(service.url));

describe('the demo workspace on Growth', () => {
  test.for(EVENT_KEYS)('has samples of %s', async (key, { samples }) => {
    const found = await samples(key);
    expect(found.length).toBeGreaterThan(0);
    const timestamps = found.map((sample) => sample.occurred_at);
    expect(timestamps).toEqual(timestamps.toSorted().toReversed());
  });

  test('has samples of taggings and commands under their filters', async ({ samples }) => {
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

test('the samples of the demo data match its rows', async () => {
  const rows = () =>
    db().sample.findMany({ orderBy: [{ conversationId: 'asc' }, { event: 'asc' }, { filter: 'asc' }] });
  const noted = await rows();
  expect(noted.length).toBeGreaterThan(EVENT_KEYS.length);
  await db().sample.deleteMany();
  await pool().query(BACKFILL);
  expect(await rows()).toEqual(noted);
});

async function seed(url: string) {
  await seedDemoData(settings().DATABASE_URL);
  const workspace = await db().workspace.findFirstOrThrow({ where: { name: 'Demo Growth' } });
  const teammate = await db().user.findUniqueOrThrow({ where: { email: PEOPLE.owner.email } });
  const { accessToken } = await makeConnection({ workspaceId: workspace.id, teammate });
  return sampleClient(url, accessToken);
}

/** Derives the samples of all conversations from their rows. */
const BACKFILL = `insert into "samples" ("workspace_id", "conversation_id", "event", "filter", "subject_id", "occurred_at")
select distinct on (s."conversation_id", s."event", s."filter")
  s."workspace_id", s."conversation_id", s."event", s."filter", s."subject_id", s."occurred_at"
from (
  select "workspace_id", "conversation_id", 'conversation.tagged' as "event", '' as "filter", "id" as "subject_id", "created_at" as "occurred_at" from "taggings"
  union all
  select g."workspace_id", g."conversation_id", 'conversation.tagged', t."key", g."id", g."created_at" from "tagging_tags" t join "taggings" g on g."id" = t."tagging_id"
  union all
  select "workspace_id", "conversation_id", 'conversation.rated', '', "id", "created_at" from "ratings"
  union all
  select "workspace_id", "conversation_id", 'message.received', '', "id", "created_at" from "messages" where "direction" = 'inbound'
  union all
  select "workspace_id", "conversation_id", 'operator.command', f, "id", "created_at" from "command_runs", unnest(array['', "command"]) f
) s
join "conversations" c on c."id" = s."conversation_id" and c."merged_into_id" is null and not c."is_test"
order by s."conversation_id", s."event", s."filter", s."occurred_at" desc, s."subject_id" desc`;
