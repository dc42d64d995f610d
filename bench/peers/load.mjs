import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';

const WRITERS = 4;
/** About the size of an event's body. */
const BODY = JSON.stringify({ text: 'x'.repeat(1_000) });
const machineMs = () => Number(process.hrtime.bigint()) / 1e6;

/**
 * On each order queues the jobs of one change together, as fast as four writers can or with a pause. Responds
 * with the commit times.
 */
export function loadOnOrder(queue) {
  process.on('message', async ({ changes, each, everyMs }) => {
    const commits = [];
    let left = changes;
    const write = async () => {
      while (left > 0) {
        left -= 1;
        const id = uuidv7();
        await queue(Array.from({ length: each }, (_, hook) => ({ id, path: `/h/${hook}`, body: BODY })));
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
