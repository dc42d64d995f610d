import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';

const WRITERS = 4;
/** About the size of an event's body. */
const BODY = JSON.stringify({ text: 'x'.repeat(1_000) });
const machineMs = () => Number(process.hrtime.bigint()) / 1e6;

/**
 * On each order queues the jobs of one change together, as fast as four writers can or with a pause. Responds
 * with the commit times. An order with a `number` is one change, and its response says whether it was committed.
 */
export function loadOnOrder(queue) {
  const change = (id, each) =>
    queue(Array.from({ length: each }, (_, hook) => ({ id, path: `/h/${hook}`, body: BODY })));
  process.on('message', async ({ number, changes, each, everyMs }) => {
    if (number !== undefined) {
      const id = uuidv7();
      const isCommitted = await change(id, each).then(
        () => true,
        () => false,
      );
      process.send({ number, id, isCommitted });
      return;
    }
    const commits = [];
    let left = changes;
    const write = async () => {
      while (left > 0) {
        left -= 1;
        await change(uuidv7(), each);
        commits.push(machineMs());
        if (everyMs !== undefined) await sleep(everyMs);
      }
    };
    const beganAt = machineMs();
    await Promise.all(Array.from({ length: everyMs === undefined ? WRITERS : 1 }, write));
    process.send({ beganAt, commits });
  });
  process.on('SIGTERM', () => process.exit(0));
  process.send('ready');
}
