import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '#bench/drills/ha-cluster.ts';
import type { Machine } from '#bench/drills/ha-machine.ts';
import { isAcknowledged, type Writers } from '#bench/drills/writers.ts';
import { machineMs } from '#bench/lab/clock.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { until } from '#test/fixtures/until.ts';

/** Fault of the primary's machine: its processes are killed or stopped, or its network is unplugged. */
export type MachineFault = 'killed' | 'frozen' | 'cut off';

/** Times of a failover on the machine's clock, in ms. */
export type Failover = {
  fault: MachineFault;
  faultAt: number;
  promotedAt: number;
  /** The first acknowledged change of every server, and the first delivery, after the promotion. */
  apiAt: number;
  workerAt: number;
};

export const FAULTS: MachineFault[] = ['killed', 'frozen', 'cut off'];

/** Time between two faults once the cluster is complete again, in ms. */
const BETWEEN_MS = 3_000;
/** Timeouts for the promotion and for the service after it, in ms. They only end a drill that hangs. */
const PROMOTED_MS = 120_000;
const BACK_MS = 120_000;

const BEGIN: Record<MachineFault, (machine: Machine) => Promise<void>> = {
  killed: (machine) => machine.signalAll('KILL'),
  frozen: (machine) => machine.signalAll('STOP'),
  'cut off': (machine) => machine.unplug(),
};

/** Waits for a complete cluster, causes a fault under load, and repairs the machine once the service works again. */
export async function failOver(
  fault: MachineFault,
  { cluster, writers, sink, urls }: { cluster: Cluster; writers: Writers; sink: Sink; urls: string[] },
): Promise<Failover> {
  const primary = await cluster.whole();
  await sleep(BETWEEN_MS);
  const faultAt = machineMs();
  await BEGIN[fault](primary);
  const promotedAt = await until(
    `another primary than ${primary.name} is there`,
    async () => {
      const answers = await Promise.all(cluster.others(primary).map(cluster.isPrimary));
      return answers.includes(true) && machineMs();
    },
    PROMOTED_MS,
  );
  const [apiAt, workerAt] = await Promise.all([
    until('each server makes changes again', () => firstChanges(writers, urls, promotedAt), BACK_MS),
    until('deliveries arrive again', async () => firstArrival(sink, promotedAt), BACK_MS),
  ]);
  if (fault === 'killed') cluster.startServices(primary);
  if (fault === 'frozen') await primary.signalAll('CONT');
  if (fault === 'cut off') await primary.plugIn();
  await cluster.whole();
  return { fault, faultAt, promotedAt, apiAt, workerAt };
}

/** Returns the time at which the last server acknowledged its first change after `after`, once all servers have. */
function firstChanges({ requested }: Writers, urls: string[], after: number): number | undefined {
  const firsts = urls.map(
    (url) =>
      requested.find((each) => each.url === url && each.answeredAt > after && isAcknowledged(each))
        ?.answeredAt ?? Number.POSITIVE_INFINITY,
  );
  const last = Math.max(...firsts);
  return Number.isFinite(last) ? last : undefined;
}

async function firstArrival(sink: Sink, after: number): Promise<number | undefined> {
  const { arrivals } = await sink.report();
  return arrivals.find(({ at }) => at > after)?.at;
}
