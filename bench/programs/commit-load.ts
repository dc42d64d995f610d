import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { updateConversation } from '#server/inbox/conversations/update-conversation.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { addMember, makeConnection, makeUser, makeWorkspace } from '#test/fixtures/factories.ts';
import { setTestSettings } from '#test/servers/settings.ts';

// One round of bench/benchmarks/commit.ts. Arguments: the kind of change ("with-event" or "alone") and
// numbers of writers. Each number of writers changes conversations for some seconds. Prints the changes per
// second of each number as JSON.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const WARM_SECONDS = 0.5;

const [kind, ...numbers] = process.argv.slice(2);
const most = Math.max(...numbers.map(Number));
const { DATABASE_URL = '' } = process.env;
setTestSettings({ DATABASE_URL, DB_POOL_MAX: String(most + 2) });

const writers = await Promise.all(Array.from({ length: most }, makeWriter));
const rates: number[] = [];
for (const number of numbers) rates.push(await measure(writers.slice(0, Number(number))));
await closeDatabase();
console.log(JSON.stringify(rates));
process.exit(0);

async function measure(chosen: typeof writers): Promise<number> {
  await writeFor(chosen, WARM_SECONDS);
  const eventsBefore = await db().event.count();
  const begun = performance.now();
  const made = await writeFor(chosen, SECONDS);
  const seconds = (performance.now() - begun) / 1_000;
  // A figure counts only when the number of recorded events is exact.
  const events = (await db().event.count()) - eventsBefore;
  const expected = kind === 'with-event' ? made : 0;
  if (events !== expected) throw new Error(`${events} events of ${made} changes, not ${expected}.`);
  return made / seconds;
}

/** Creates a writer with separate rows, so that writers wait only for commits. */
async function makeWriter(): Promise<() => Promise<void>> {
  const stage = kind === 'with-event' ? await makeConnected() : await makeUnconnected();
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

async function writeFor(chosen: typeof writers, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  const write = async (change: () => Promise<void>) => {
    while (performance.now() < until) {
      await change();
      count += 1;
    }
  };
  await Promise.all(chosen.map(write));
  return count;
}
