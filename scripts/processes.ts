import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { codeOf } from '#scripts/explained-error.ts';

const run = promisify(execFile);

/** Whether a process with this number exists, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The command line of a running process; undefined when there is none, or it has ended already. */
export async function commandOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.replaceAll('\0', ' ').trim() || undefined;
  }
  return (await ps(pid, 'command=')) || undefined;
}

/**
 * A text that no other process ever has, even one that gets the same number later: the moment of its start.
 * Undefined when there is no such process.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return (await ps(pid, 'lstart=')) || undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const started = startTicks(stat);
  if (started === undefined) return undefined;
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}/${started}`;
}

/** Field 22 of /proc/<pid>/stat, unless the process has ended and only waits to be collected. */
export function startTicks(stat: string): string | undefined {
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

/** Sends a signal to a process or, with a negative number, to its group; one that is gone is no fault. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** Waits until `condition` holds; false when it still does not after `timeoutMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= end) return false;
    await sleep(25);
  }
  return true;
}

async function ps(pid: number, column: string): Promise<string> {
  const { stdout } = await run('ps', ['-o', column, '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim();
}
