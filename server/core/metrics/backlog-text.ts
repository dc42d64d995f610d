import { Gauge, Registry } from 'prom-client';
import type { Backlog, JobState } from '#server/core/metrics/read-backlog.ts';

/**
 * Formats the backlog for Prometheus. Without a response of the database the only metric is `inbox_database_up 0`, because unknown
 * values must be absent.
 */
export function backlogText(backlog: Backlog | null): Promise<string> {
  const registry = new Registry();
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });

  gauge('inbox_database_up', 'One if the database responded in time, otherwise zero.').set(backlog ? 1 : 0);
  if (!backlog) return registry.metrics();

  gauge('inbox_worker_pools', 'Worker pools with a valid lease; a worker has four.').set(backlog.workerPools);
  const { due, scheduled, oldestDueSeconds } = backlog.deliveries;
  const unended = gauge('inbox_deliveries_unended', 'Unfinished deliveries.', ['state']);
  unended.set({ state: 'due' }, due);
  unended.set({ state: 'scheduled' }, scheduled);
  gauge('inbox_oldest_due_delivery_seconds', 'Age of the oldest due delivery, in seconds.').set(
    oldestDueSeconds,
  );
  gauge('inbox_events_to_fan_out', 'Events whose deliveries are not created yet.').set(
    backlog.eventsToFanOut,
  );
  gauge('inbox_held_work', 'Pieces of work that wait after a restore.').set(backlog.heldWork);
  const jobs = gauge('inbox_queue_jobs', 'Jobs in the queue.', ['task', 'state']);
  const ready = gauge('inbox_queue_oldest_ready_seconds', 'Age of the oldest ready job, in seconds.', [
    'task',
  ]);
  for (const { task, counts, oldestReadySeconds } of backlog.jobs) {
    for (const state of JOB_STATES) jobs.set({ task, state }, counts[state]);
    ready.set({ task }, oldestReadySeconds);
  }
  return registry.metrics();
}

const JOB_STATES: JobState[] = ['ready', 'scheduled', 'running', 'given_up'];
