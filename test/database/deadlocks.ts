import { open, stat } from 'node:fs/promises';

/** Marks a statement of a test that provokes a deadlock on purpose. */
export const ON_PURPOSE = '/* deadlock on purpose */';

/** A line of PostgreSQL's log begins with a time; the lines of one event follow one another in one process. */
const ENTRY = /^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m;
const DEADLOCK = /\[(\d+)\] ERROR: {2}deadlock detected/;
/** So many lines of the same process belong to it: detail, hint, context, statement. */
const LINES_MAX = 5;

/** The deadlocks in a log of PostgreSQL, each with the statements that waited for each other. */
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
 * Watches a server's log from now on. Its statistics would not do: they go with each test's database.
 * @returns what throws when there was a deadlock since, other than on purpose
 */
export async function watchDeadlocks(log: string): Promise<() => Promise<void>> {
  const from = await stat(log).then(
    ({ size }) => size,
    () => 0,
  );
  return async () => {
    const found = deadlocksIn(await readFrom(log, from)).filter((each) => !each.includes(ON_PURPOSE));
    if (found.length > 0) {
      throw new Error(`${found.length} deadlocks were detected during the tests:\n${found.join('\n')}`);
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
