import { open, stat } from 'node:fs/promises';

/** Marks a statement of a test that provokes a deadlock intentionally. */
export const ON_PURPOSE = '/* deadlock on purpose */';

/** Start of a log entry: a timestamp. The entries of one event follow each other within their process. */
const ENTRY = /^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m;
const DEADLOCK = /\[(\d+)\] ERROR: {2}deadlock detected/;
/** Maximum number of further entries of an event: detail, hint, context, statement. */
const LINES_MAX = 5;

/** Returns the deadlocks in a PostgreSQL log, each with the statements that waited for each other. */
export function deadlocksIn(log: string): string[] {
  const entries = log.split(ENTRY);
  return entries.flatMap((entry, index) => {
    const process = DEADLOCK.exec(entry)?.[1];
    if (process === undefined) return [];
    const rest = entries.slice(index + 1).filter((line) => line.includes(`[${process}]`));
    return [[entry, ...rest.slice(0, LINES_MAX)].join('')];
  });
}

/**
 * Watches a server's log from now on. PostgreSQL's deadlock statistics are lost when a test's database is
 * dropped.
 * @returns a function that throws if an unintended deadlock was logged since
 */
export async function watchDeadlocks(log: string): Promise<() => Promise<void>> {
  const from = await stat(log).then(
    ({ size }) => size,
    () => 0,
  );
  return async () => {
    const found = deadlocksIn(await readFrom(log, from)).filter((each) => !each.includes(ON_PURPOSE));
    if (found.length > 0) {
      throw new Error(`Deadlocks during the tests: ${found.length}\n${found.join('\n')}`);
    }
  };
}

async function readFrom(path: string, from: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const rest = Buffer.alloc(Math.max(0, size - from));
    await file.read(rest, 0, rest.length, from);
    return rest.toString();
  } finally {
    await file.close();
  }
}
