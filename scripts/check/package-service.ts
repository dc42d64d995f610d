import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectDir } from '#scripts/tools/project.ts';
import { UserError } from '#scripts/tools/user-error.ts';

/** The running service, and the environment in which tests of the packages find it. */
export type PackageService = { env: Record<string, string>; stop(): Promise<void> };

/**
 * Starts the service that the tests of the packages run against (`test/packages/main.ts`).
 * @throws UserError when it does not start; `stop` throws one when an answer broke the contract
 */
export async function startPackageService(): Promise<PackageService> {
  const child = spawn(process.execPath, ['test/packages/main.ts'], {
    cwd: projectDir,
    env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const told = await Promise.race([once(child, 'message'), ended]);
  if (!Array.isArray(told)) throw new UserError(`The service for the packages did not start:\n${output}`);
  return {
    env: told[0] as Record<string, string>,
    stop: async () => {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new UserError(`The service for the packages ended with ${code}:\n${output}`);
    },
  };
}
