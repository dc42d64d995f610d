import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ATTACKS, type Target } from '#test/faults/attackers.ts';
import { PAGE_ATTACKS } from '#test/faults/page-attackers.ts';

// The attacking thread of bench/drills/attacks.ts and pages.ts: each connection runs all attacks in turn, starting with a
// different one, or one attack on the pages, until the deadline.
type Given = Omit<Target, 'url'> & { url: string; connections: number; pauseMs: number; only?: string };

const { url, connections, pauseMs, only, ...given } = workerData as Given;
const target: Target = { ...given, url: new URL(url), deadline: performance.now() + given.deadline };
const tried = new Map<string, number>();
const attacks = Object.entries(only === undefined ? ATTACKS : { [only]: PAGE_ATTACKS[only] });

await Promise.all(
  Array.from({ length: connections }, async (_, index) => {
    for (let turn = index; performance.now() < target.deadline; turn += 1) {
      const [name, make] = attacks[turn % attacks.length] ?? ['', async () => undefined];
      tried.set(name, (tried.get(name) ?? 0) + 1);
      await make?.(target).catch(() => undefined);
      await sleep(pauseMs);
    }
  }),
);
parentPort?.postMessage([...tried]);
process.exit();
