import { pool, post } from './send.mjs';

// Sends a number of POST requests, ten at a time, and prints the requests per second.
const count = Number(process.argv[2]);
const IN_FLIGHT = 10;
const BODY = JSON.stringify({ text: 'x'.repeat(1_000) });

let left = count;
const work = async () => {
  while (left > 0) {
    left -= 1;
    await post({ id: crypto.randomUUID(), path: '/h/0', body: BODY });
  }
};
const start = performance.now();
await Promise.all(Array.from({ length: IN_FLIGHT }, work));
console.log((count / ((performance.now() - start) / 1_000)).toFixed(1));
await pool.end();
process.exit(0);
