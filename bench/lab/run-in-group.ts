import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { signal } from '#scripts/tools/processes.ts';
import { projectDir } from '#server/core/project.ts';

/** What runs now. */
const running = new Set<ChildProcess>();

/**
 * Starts a program in a process group of its own, which is ended (SIGKILL) with all that it started when this process is:
 * by SIGINT or SIGTERM, or in whatever other way.
 * @param stdout where it writes
 */
export function startGroup(program: string, args: string[], stdout: 'pipe' | 'inherit'): ChildProcess {
  // It reads the end of its input when this process is gone.
  const stdio: StdioOptions = ['pipe', stdout, 'inherit'];
  const child = spawn(
    process.execPath,
    ['--import', './bench/programs/end-with-starter.ts', program, ...args],
    {
      cwd: projectDir,
      detached: true,
      stdio,
    },
  );
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends a program with all that it started. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) signal(-pid, 'SIGKILL');
}

/** Has what runs end when this process is asked to. */
export function endGroupsOnSignals(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      for (const each of running) endGroup(each);
      process.exit(1);
    });
  }
}
