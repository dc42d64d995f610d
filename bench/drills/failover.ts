import { parseArgs } from 'node:util';
import { judgeContacts, startContacts } from '#bench/drills/contacts.ts';
import { type DrillStage, fillDrillStage } from '#bench/drills/drilled-service.ts';
import { FAULTS, type Failover, failOver } from '#bench/drills/failover-rounds.ts';
import { type Cluster, missingPrograms, startCluster } from '#bench/drills/ha-cluster.ts';
import { figure, judge, notRun } from '#bench/drills/judge.ts';
import { judgeChanges, judgeRefreshes } from '#bench/drills/judge-changes.ts';
import { startRefreshers } from '#bench/drills/refreshers.ts';
import { wholeProcesses } from '#bench/drills/whole-processes.ts';
import { countStatuses, isAcknowledged, startWriters } from '#bench/drills/writers.ts';
import { machineMs } from '#bench/lab/clock.ts';
import { type Sink, startSink } from '#bench/lab/sink.ts';
import { migrate } from '#prisma/migrate.ts';
import { lock } from '#scripts/start/lock.ts';
import { buildScreens } from '#scripts/tools/build-screens.ts';
import { closeDatabase, db } from '#server/core/database/prisma.ts';
import { makeChatVisitor } from '#test/clients/chat-client.ts';
import { deliveryKey } from '#test/faults/delivery-keys.ts';
import { until } from '#test/fixtures/until.ts';
import { PLATFORM, setTestSettings } from '#test/servers/settings.ts';

// npm run drill -- failover [--times 10] [--pooled 1]: two servers and two workers on a cluster of three database machines, from the files in
// deploy/ha (docs/high-availability.md). Kills, freezes and cuts off the machine of the primary `--times` times each, during API calls, token
// refreshes, chats, mails and deliveries. Repeats that `--pooled` times with PgBouncer in front.

const FOLDER = '/var/lib/shared-inbox-drill';
const VISITORS = 4;
/** Time for which API clients and visitors repeat a request, in ms. A claimed `Idempotency-Key` may block it for a minute. */
const RETRY_MS = 90_000;
/** Goals for the 95th percentile, in ms: after the promotion, and since the fault. */
const BACK_MS = 15_000;
const IN_ALL_MS = 30_000;
/** Time before a fault from which results of attempts may not have been stored, in ms. */
const IN_FLIGHT_MS = 1_000;

const { values } = parseArgs({
  options: { times: { type: 'string', default: '10' }, pooled: { type: 'string', default: '1' } },
});
const [times, pooled] = [Number(values.times), Number(values.pooled)];

const missing = await missingPrograms();
if (missing !== undefined) {
  notRun(missing);
  process.exit(0);
}
const locked = await lock(FOLDER);
if ('heldBy' in locked) throw new Error(`Process ${locked.heldBy} already runs this drill.`);
await buildScreens(() => console.log('Building the screens.'));

const sink = await startSink(PLATFORM.hooksHost);
let cluster: Cluster | undefined;
try {
  cluster = await startCluster(`${FOLDER}/cluster`);
  const settings = {
    DATABASE_URL: cluster.url,
    HOOKS_CONNECT_TO: sink.connectTo,
    HOOKS_CA_FILE: sink.caFile,
    API_HOST: '',
    LOG_LEVEL: 'warn',
    MAIL_DIR: `${FOLDER}/mail`,
    NODE_ENV: 'production',
  };
  setTestSettings(settings);
  await migrate(cluster.url);
  const stage = await cluster.asSuperuser(() =>
    fillDrillStage(settings.DATABASE_URL, { conversations: 2_000, hooks: 5 }),
  );
  if (times > 0) await failOverUnderLoad('haproxy', cluster, { stage, sink, rounds: times });
  if (pooled > 0) {
    await closeDatabase();
    setTestSettings({ ...settings, DATABASE_URL: cluster.pooledUrl, DATABASE_DIRECT_URL: cluster.url });
    await failOverUnderLoad('pgbouncer', cluster, { stage, sink, rounds: pooled });
  }
} finally {
  await closeDatabase();
  await cluster?.stop();
  await sink.stop();
  locked.release();
}

async function failOverUnderLoad(
  through: string,
  on: Cluster,
  { stage, sink: receiver, rounds }: { stage: DrillStage; sink: Sink; rounds: number },
): Promise<void> {
  const { workspaceId } = stage;
  const processes = wholeProcesses();
  try {
    const servers = await Promise.all([processes.startServer(), processes.startServer()]);
    await Promise.all([processes.startWorker(), processes.startWorker()]);
    const urls = servers.map(({ url }) => url);
    const { address: mailbox } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
    const visitors = await Promise.all(
      Array.from({ length: VISITORS }, () => makeChatVisitor(urls[0] ?? '', workspaceId)),
    );
    const refreshers = startRefreshers(stage, () => urls);
    const writers = startWriters(stage, () => urls, { pauseMs: 60, retryMs: RETRY_MS });
    const tokens = visitors.map(({ token }) => token);
    const contacts = startContacts(tokens, mailbox, () => servers, { retryMs: RETRY_MS });
    await until('changes are made', () => writers.requested.filter(isAcknowledged).length > 20);

    const failovers: Failover[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      for (const fault of FAULTS) {
        const failover = await failOver(fault, { cluster: on, writers, sink: receiver, urls });
        failovers.push(failover);
        const { faultAt, promotedAt, apiAt, workerAt } = failover;
        const after = (at: number) => ((at - faultAt) / 1_000).toFixed(1);
        figure(
          `${through}, ${fault} ${round}: new primary after ${after(promotedAt)} s, API ${after(apiAt)} s, deliveries ${after(workerAt)} s`,
        );
      }
    }

    const requested = await writers.stop();
    const refreshed = await refreshers.stop();
    const sent = await contacts.stop();
    figure(`${through}: ${requested.length} changes (${countStatuses(requested)})`);
    await judgeChanges({ sink: receiver, stage }, requested);
    const unhealed = requested.filter((change) => !isAcknowledged(change));
    judge(`${unhealed.length} changes that a retry did not heal`, unhealed.length === 0);
    const repeated = requested.filter(({ tries }) => tries > 1);
    const longest = Math.max(0, ...repeated.map(({ beganAt, answeredAt }) => answeredAt - beganAt));
    figure(`${repeated.length} changes repeated by their client, for at most ${seconds(longest)} s`);
    judgeRefreshes(refreshed);
    await judgeContacts(workspaceId, sent);
    await judgeRepeats(receiver, failovers);
    judge(`${processes.ended()} processes ended`, processes.ended() === 0);
    judgeTimes(failovers);
  } finally {
    if (process.env.DRILL_OUTPUT) console.log(processes.output());
    await processes.killAll();
  }
}

/** Checks that a delivery arrived twice only if its first attempt was under way at a fault. */
async function judgeRepeats(receiver: Sink, failovers: Failover[]): Promise<void> {
  const { arrivals, repeats } = await receiver.report();
  const began = failovers[0]?.faultAt ?? machineMs();
  const first = new Map(arrivals.map(({ id, path, at }) => [deliveryKey(id, path), at]));
  const later = repeats.filter(({ at }) => at > began);
  const unexpected = later.filter(({ id, path }) => {
    const at = first.get(deliveryKey(id, path)) ?? 0;
    return !failovers.some(({ faultAt, workerAt }) => at > faultAt - IN_FLIGHT_MS && at <= workerAt);
  });
  judge(
    `${unexpected.length} deliveries twice without an attempt under way (${later.length} with one)`,
    unexpected.length === 0,
  );
}

function judgeTimes(failovers: Failover[]): void {
  const back = ({ apiAt, workerAt }: Failover) => Math.max(apiAt, workerAt);
  const [afterPrimary, inAll] = [
    failovers.map((each) => back(each) - each.promotedAt),
    failovers.map((each) => back(each) - each.faultAt),
  ];
  const describe = (times: number[]) =>
    `p50 ${seconds(percentile(times, 50))} s, p95 ${seconds(percentile(times, 95))} s`;
  const among = `of ${failovers.length} failovers`;
  judge(
    `API and worker back after the new primary: ${describe(afterPrimary)} ${among}`,
    percentile(afterPrimary, 95) <= BACK_MS,
  );
  judge(`API and worker back in all: ${describe(inAll)} ${among}`, percentile(inAll, 95) <= IN_ALL_MS);
}

function percentile(times: number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
