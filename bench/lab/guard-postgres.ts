import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectDir } from '#server/core/project.ts';

/**
 * Has the PostgreSQL of a folder stopped when this process ends, in whatever way: it runs in a session of its own, so that
 * nothing that ends this process reaches it.
 * @param home the `dataDir` with which it was or will be started; its lock is this process's
 * @returns what ends the guard, once PostgreSQL was stopped in order
 */
export function guardPostgres(home: string): () => Promise<void> {
  const guard = spawn(process.execPath, ['bench/programs/stop-abandoned.ts', home], {
    cwd: projectDir,
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(guard, 'exit');
  guard.unref();
  return async () => {
    guard.ref();
    guard.kill('SIGKILL');
    await ended;
  };
}
