import { setTimeout as sleep } from 'node:timers/promises';
import { startBalancer } from '#bench/drills/balancer.ts';
import { judgeContacts, startContacts } from '#bench/drills/contacts.ts';
import type { DrillStage } from '#bench/drills/drilled-service.ts';
import { figure, judge } from '#bench/drills/judge.ts';
import { judgeChanges, judgeRefreshes } from '#bench/drills/judge-changes.ts';
import { openInbox } from '#bench/drills/open-inbox.ts';
import { prepareRelease, runIn } from '#bench/drills/previous-release.ts';
import { startRefreshers } from '#bench/drills/refreshers.ts';
import { wholeProcesses } from '#bench/drills/whole-processes.ts';
import { countStatuses, isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { startLab } from '#bench/lab/lab.ts';
import { startSink } from '#bench/lab/sink.ts';
import { migrate } from '#prisma/migrate.ts';
import { readReleased } from '#prisma/released.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';
import { pool } from '#server/core/database/pools.ts';
import { closeDatabase } from '#server/core/database/prisma.ts';
import { projectDir } from '#server/core/project.ts';
import { makeChatVisitor } from '#test/clients/chat-client.ts';
import { until } from '#test/fixtures/until.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

// npm run drill -- upgrade [commit]: runs the last release (prisma/released.json, or another commit) and this version side by side on
// one database. Migrates, then replaces two workers and two servers of the release one after the other, during calls of the API and the
// token endpoint, chats, mails, deliveries, and with an inbox open in a browser. docs/upgrades.md describes the order.

/** Time in which both versions work side by side after each step, in ms. */
const BESIDE_MS = 4_000;
/** Time in which a balancer stops to choose a server, in ms. */
const DRAIN_MS = 1_000;
const VISITORS = 6;

const [commit = (await readReleased()).commit] = process.argv.slice(2);
const release = await prepareRelease(commit);
await buildScreens(() => console.log('Building the screens.'));

type Filled = { stage: DrillStage; mailbox: string; email: string };

/** Fills the database as the release would. Its modules know its tables. */
const FILL = `
  const { migrate } = await import('#prisma/migrate.ts');
  await migrate(process.env.DATABASE_URL);
  const { fillDrillStage } = await import('#bench/drills/drilled-service.ts');
  const { makeUser } = await import('#test/fixtures/factories.ts');
  const { db } = await import('#server/core/database/prisma.ts');
  const stage = await fillDrillStage(process.env.DATABASE_URL, { conversations: 2000, hooks: 5 });
  const { workspaceId } = stage;
  const { email } = await makeUser('Olivia Owen', { workspaceId, role: 'admin' });
  const { address } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  process.send({ stage, mailbox: address, email }, () => process.exit(0));
`;

const processes = wholeProcesses();
const { startServer, startWorker } = processes;
const lab = await startLab();
const sink = await startSink(PLATFORM.hooksHost);
const balancer = await startBalancer();
try {
  const databaseUrl = await lab.emptyDatabase('upgrade');
  setTestSettings({
    DATABASE_URL: databaseUrl,
    HOOKS_CONNECT_TO: sink.connectTo,
    HOOKS_CA_FILE: sink.caFile,
    BASE_URL: balancer.url,
    API_HOST: '',
    LOG_LEVEL: 'warn',
    MAIL_DIR: `${lab.folder}-mail`,
    NODE_ENV: 'production',
  });
  const { stage, mailbox, email } = await runIn<Filled>(release, FILL);
  const servers = [await startServer(release), await startServer(release)];
  const workers = [await startWorker(release), await startWorker(release)];
  const urls = () => servers.map(({ url }) => url);
  balancer.serve(urls);

  const visitors = await Promise.all(
    Array.from({ length: VISITORS }, () => makeChatVisitor(balancer.url, stage.workspaceId)),
  );
  const inbox = await openInbox(balancer.url, email);
  const writers = startWriters(stage, urls, { pauseMs: 20 });
  const refreshers = startRefreshers(stage, urls);
  const contacts = startContacts(
    visitors.map(({ token }) => token),
    mailbox,
    () => servers,
  );
  await until('changes are made', () => writers.requested.filter(isAcknowledged).length > 20);

  const migrating = performance.now();
  const { applied } = await migrate(databaseUrl);
  figure(
    `${applied.length} migrations beside the release in ${Math.round(performance.now() - migrating)} ms`,
  );
  await sleep(BESIDE_MS);
  await inbox.use('after the migrations');
  for (const old of [...workers]) {
    workers.splice(workers.indexOf(old), 1, await startWorker(projectDir));
    judge('a worker of the release ended in order', (await old.stop()) === 0);
    await sleep(BESIDE_MS);
  }
  for (const old of [...servers]) {
    servers.splice(servers.indexOf(old), 1, await startServer(projectDir));
    await sleep(DRAIN_MS);
    judge('a server of the release ended in order', (await old.stop()) === 0);
    await sleep(BESIDE_MS);
    await inbox.use('after a server was replaced');
  }
  await inbox.use('after the upgrade');

  const requested = await writers.stop();
  const refreshed = await refreshers.stop();
  const sent = await contacts.stop();
  const { expected, twice } = await judgeChanges({ sink, stage }, requested);
  judgeRefreshes(refreshed);
  figure(`${requested.length} changes (${countStatuses(requested)}), ${expected} deliveries`);
  const failed = requested.filter((change) => !isAcknowledged(change));
  judge(`${failed.length} changes refused or broken off`, failed.length === 0);
  judge(`${twice} deliveries twice`, twice === 0);
  await judgeContacts(stage.workspaceId, sent);
  await judgeJobs();
  judgeOutput();
  judge(
    `the open page had ${inbox.problems.length} problems ${inbox.problems.join('; ')}`,
    inbox.problems.length === 0,
  );
  figure(`links of the open page loaded a whole page ${inbox.reloads()} times`);
  await inbox.close();
} finally {
  await processes.killAll();
  await closeDatabase();
  await balancer.stop();
  await sink.stop();
  await lab.stop();
}

/** Checks that no job failed, and that none waits for a worker that knows it. */
async function judgeJobs(): Promise<void> {
  const { rows } = await pool().query<{ task: string; error: string | null }>(
    `select task_identifier as task, last_error as error from graphile_worker.jobs
     where last_error is not null or run_at < now() - interval '1 minute'`,
  );
  const named = rows.map(({ task, error }) => `${task}: ${error ?? 'waits'}`);
  judge(`${rows.length} jobs failed or wait ${named.slice(0, 3).join('; ')}`, rows.length === 0);
}

/** Checks that no process logged an error. */
function judgeOutput(): void {
  const lines = processes.errors();
  judge(`${lines.length} errors logged ${lines.slice(0, 3).join(' ')}`, lines.length === 0);
}
