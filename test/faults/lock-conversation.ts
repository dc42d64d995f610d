import { Client } from 'pg';

// Used by bench/drills/file-attacks.ts, in a separate process for exact times. Measures the longest wait for
// a conversation's row lock and for a statement without a lock, until the parent sends a message.
const client = new Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
const longest = { change: 0, statement: 0 };
let isDone = false;
process.once('message', () => {
  isDone = true;
});
process.send?.('ready');

while (!isDone) {
  longest.statement = Math.max(longest.statement, await timed('select 1', []));
  const change = 'select id from conversations where id = $1 for no key update';
  longest.change = Math.max(longest.change, await timed(change, [process.argv[2]]));
  await new Promise((resolve) => setTimeout(resolve, 20));
}
await client.end();
process.send?.(longest, () => process.disconnect());

async function timed(text: string, values: unknown[]): Promise<number> {
  const start = performance.now();
  await client.query(text, values);
  return Math.round(performance.now() - start);
}
