import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';

type Used = { seconds: number };

const counting = new AsyncLocalStorage<Used>();

/** Runs `work`. Returns its result, and the processor time of the programs that it ran, in seconds. */
export async function countProcessorTime<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const used: Used = { seconds: 0 };
  const result = await counting.run(used, work);
  return { result, seconds: used.seconds };
}

/**
 * Adds a program that has just ended to the work that started it. When a program ends, the kernel adds its time to
 * the children's time of this process, so the difference since the previous end is its time. Daemons such as
 * PostgreSQL are not included, as in the shell's `time`.
 */
export function countEndedProgram(): void {
  const total = childSeconds();
  const used = counting.getStore();
  if (used) used.seconds += total - counted;
  counted = total;
}

let counted = 0;

/** Returns the processor time of this process and its ended children, in seconds. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childSeconds();
}

/** Returns the processor time of ended children in seconds; 0 on systems without `/proc`. */
function childSeconds(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // cutime and cstime, fields 16 and 17 of proc_pid_stat(5). The name in field 2 may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Linux reports ticks of 10 ms on all architectures that Node supports. */
const TICKS_PER_SECOND = 100;
