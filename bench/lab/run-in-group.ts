import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { signal } from '#scripts/tools/processes.ts';
import { projectDir } from '#server/core/project.ts';

const running = new Set<ChildProcess>();

/**
 * Starts a program in a separate process group. The group is killed (SIGKILL) when this process exits for any
 * reason.
 * @param stdout destination of the program's output
 */
export function startGroup(program: string, args: string[], stdout: 'pipe' | 'inherit'): ChildProcess {
  // The program reads end-of-file from its input when this process is gone.
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

/** Kills a program and all processes that it started. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) signal(-pid, 'SIGKILL');
}

/** Kills all running groups when this process receives a signal to end. */
export function endGroupsOnSignals(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      for (const each of running) endGroup(each);
      process.exit(1);
    });
  }
}
