import type { Tx } from '#server/db.ts';

/** The tasks of the worker and their payloads: ids only, the rows are the state. */
export type Tasks = {
  'fan-out': { eventIds: string[] };
  deliver: { deliveryId: string; attempt: number };
  'cancel-deliveries': { hookIds: string[] };
  'send-message': { messageId: string };
};

/** Queues a job in the transaction of the change that needs it. */
export async function queueJob<Name extends keyof Tasks>(
  tx: Tx,
  name: Name,
  payload: Tasks[Name],
): Promise<void> {
  await tx.$executeRaw`
    select (graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json)).id`;
}
