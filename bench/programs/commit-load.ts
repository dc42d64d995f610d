import { closeDatabase, db, inTransaction } from '#server/ground/db.ts';
import { queueJob } from '#server/ground/jobs/queue-job.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { makeHook } from '#test/deliveries.ts';
import { addMember, makeConnection, makeUser, makeWorkspace } from '#test/factories.ts';
import { makeConversation } from '#test/fixtures.ts';
import { setTestSettings } from '#test/settings.ts';

// One round of bench/commit.ts: 32 writers make the changes of the kind named, for some seconds; prints how many a second.
const WRITERS = 32;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const WARM_SECONDS = 1;

const kind = process.argv[2] ?? '';
const { DATABASE_URL = '' } = process.env;
setTestSettings({ DATABASE_URL, DB_POOL_MAX: String(WRITERS + 2) });

const writers = await Promise.all(Array.from({ length: WRITERS }, (_, number) => makeWriter(number)));
await writeFor(WARM_SECONDS);
const [eventsBefore, jobsBefore] = [await db().event.count(), await countJobs()];
const begun = performance.now();
const made = await writeFor(SECONDS);
const seconds = (performance.now() - begun) / 1_000;
await checkCounts();
await closeDatabase();
console.log((made / seconds).toFixed(1));
process.exit(0);

/** What a writer does each time: alone on rows of its own, so that nothing but commits is waited for. */
async function makeWriter(number: number): Promise<() => Promise<void>> {
  if (kind.startsWith('row')) return () => writeRow(number, kind === 'row-with-job');
  const stage = kind === 'change-with-event' ? await makeConnected() : await makeUnconnected();
  const id = await makeConversation(stage, { channel: 'webchat' });
  let solved = false;
  return async () => {
    solved = !solved;
    const actor = { kind: 'teammate', teammate: stage.teammate } as const;
    const changes = { status: solved ? ('pending' as const) : ('open' as const) };
    await updateConversation({ workspaceId: stage.workspaceId, id, actor, changes });
  };
}

async function makeConnected() {
  const connection = await makeConnection();
  await makeHook(connection, { event: 'conversation.status_changed' });
  return connection;
}

async function makeUnconnected() {
  const workspaceId = (await makeWorkspace()).id;
  const teammate = await makeUser();
  await addMember(workspaceId, teammate.id, 'owner');
  return { workspaceId, teammate };
}

async function writeRow(number: number, withJob: boolean): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.$executeRaw`
      insert into worker_leases (pool_id, expires_at) values (${`bench ${number}`}, now())
      on conflict (pool_id) do update set expires_at = now()`;
    // Not before an hour: no worker is measured.
    if (withJob) await queueJob(tx, 'remove-account', { userId: crypto.randomUUID() }, { inSeconds: 3_600 });
  });
}

/** Returns how many changes were committed. */
async function writeFor(seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  const write = async (change: () => Promise<void>) => {
    while (performance.now() < until) {
      await change();
      count += 1;
    }
  };
  await Promise.all(writers.map(write));
  return count;
}

/** A figure counts only when each change left exactly what it was to leave. */
async function checkCounts(): Promise<void> {
  const events = (await db().event.count()) - eventsBefore;
  const jobs = (await countJobs()) - jobsBefore;
  const expectedEvents = kind === 'change-with-event' ? made : 0;
  if (events !== expectedEvents) throw new Error(`${events} events of ${expectedEvents} changes.`);
  if (kind === 'row-with-job' && jobs !== made) throw new Error(`${jobs} jobs of ${made} changes.`);
}

async function countJobs(): Promise<number> {
  const [row] = await db().$queryRaw<[{ jobs: number }]>`
    select ((select count(*) from queued_jobs) + (select count(*) from graphile_worker._private_jobs))::int as jobs`;
  return row.jobs;
}
