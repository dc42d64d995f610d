import {
  MAX_IN_FLIGHT,
  type OfferedLoad,
  offerLoad,
  type SingleChanges,
} from '#bench/drills/offered-load.ts';
import { type SupervisedProcess, supervise } from '#bench/drills/supervised-process.ts';
import { makeStage } from '#bench/lab/engine.ts';
import type { Lab } from '#bench/lab/lab.ts';
import type { PeerName } from '#bench/lab/peers.ts';
import type { Sink } from '#bench/lab/sink.ts';
import { type ChildProgram, startProgram } from '#scripts/tools/child-program.ts';
import { pool } from '#server/core/database/pools.ts';
import { deliveryKey } from '#test/faults/delivery-keys.ts';
import { hookPaths } from '#test/faults/make-hooks.ts';

export type QueueName = 'the service' | PeerName;

export const QUEUES: QueueName[] = ['the service', 'graphile-worker', 'pg-boss'];

/** Deliveries of each change. */
export const EACH = 10;
const WORKERS = 2;

/** A queue with two workers and its load, in a new database. */
export type RunningQueue = {
  databaseUrl: string;
  /** The table that its workers read and write most. */
  hotTable: string;
  workers: SupervisedProcess[];
  load: OfferedLoad;
  /** Stops the load and returns the deliveries that must arrive, as `deliveryKey`. */
  stopLoad(): Promise<string[]>;
  stop(): Promise<void>;
};

type Place = { lab: Lab; sink: Sink; use(url: string): Promise<void> };

export function startQueue(name: QueueName, place: Place): Promise<RunningQueue> {
  return name === 'the service' ? startService(place) : startPeer(name, place);
}

async function startService({ lab, use }: Place): Promise<RunningQueue> {
  const databaseUrl = await lab.serviceDatabase('recovery');
  await use(databaseUrl);
  const stage = await makeStage(hookPaths(EACH), 2 * MAX_IN_FLIGHT);
  const { workspaceId, teammate, conversations } = stage;
  const order: SingleChanges = { workspaceId, teammate, conversations };
  const workers = await startWorkers(() => startProgram('worker/main.ts', { LOG_LEVEL: 'warn' }));
  const load = await offerLoad('bench/programs/single-changes.ts', [JSON.stringify(order)], { each: EACH });
  return {
    databaseUrl,
    hotTable: 'deliveries',
    workers,
    load,
    stopLoad: async () => {
      const { committed } = await load.stop();
      const { rows } = await pool().query<{ id: string }>('select id from events');
      // An event for each committed change: one without would be lost before it was a delivery.
      const lost = Array.from({ length: committed - rows.length }, (_, number) => `event ${number}`);
      return [...rows.map(({ id }) => id), ...lost].flatMap(deliveriesOf);
    },
    stop: () => stopAll(load, workers),
  };
}

async function startPeer(name: PeerName, { lab, sink }: Place): Promise<RunningQueue> {
  const databaseUrl = await lab.emptyDatabase('recovery_peer');
  const env = { DATABASE_URL: databaseUrl, SINK: sink.connectTo, SINK_HOST: sink.host, SINK_CA: sink.caFile };
  const program = `bench/peers/${name}.mjs`;
  const workers = await startWorkers(() => startProgram(program, env));
  const load = await offerLoad(program, ['load'], { env, each: EACH });
  return {
    databaseUrl,
    hotTable: name === 'pg-boss' ? 'pgboss.job' : 'graphile_worker._private_jobs',
    workers,
    load,
    stopLoad: async () => (await load.stop()).ids.flatMap(deliveriesOf),
    stop: () => stopAll(load, workers),
  };
}

/** Starts them one after the other, because the first creates the tables of a peer. */
async function startWorkers(start: () => Promise<ChildProgram>): Promise<SupervisedProcess[]> {
  const workers: SupervisedProcess[] = [];
  while (workers.length < WORKERS) workers.push(await supervise(start));
  return workers;
}

async function stopAll(load: OfferedLoad, workers: SupervisedProcess[]): Promise<void> {
  await Promise.all([load.stop(), ...workers.map((worker) => worker.stop())]);
}

function deliveriesOf(id: string): string[] {
  return hookPaths(EACH).map((path) => deliveryKey(id, path));
}
