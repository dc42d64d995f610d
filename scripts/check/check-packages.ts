import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { countNodeTests, countOne } from '#scripts/check/count-results.ts';
import { type Plan, type Stage, stageOf } from '#scripts/check/run-plan.ts';
import { installPackages } from '#scripts/tools/install-packages.mjs';
import { projectDir, projectPath } from '#scripts/tools/project.ts';
import { runPackageScript } from '#scripts/tools/run-tool.ts';
import { UserError } from '#scripts/tools/user-error.ts';

/** What users of the platforms install: a folder, a lock file and the scripts of its package.json each. */
export const PACKAGES: readonly string[] = ['client', 'zapier', 'n8n', 'bruno'];

/** The running service: the environment in which tests of the packages find it, and how it ends. */
type PackageService = { env: Record<string, string>; stop(): Promise<void> };

/** Installs the packages for platforms where that is due, all at once. The client is always one of them. */
export function installStage(names = PACKAGES): Stage {
  return stageOf('Install packages', async () => {
    const wanted = PACKAGES.filter((name) => name === 'client' || names.includes(name));
    const installed = await Promise.allSettled(
      wanted.map((name) => installPackages(projectPath(name), name)),
    );
    // Thrown once all have ended, so that no npm is left behind that still writes.
    for (const result of installed) if (result.status === 'rejected') throw result.reason;
  });
}

/**
 * Builds, lints and tests packages that are installed, side by side and against one real service, which starts while
 * they are built. The client is built first, as the tests of others call the service with it.
 */
export function packagesPlan(names = PACKAGES): Plan {
  let service: Promise<PackageService> | undefined;
  const start = stageOf('Service for packages', () => {
    service = startPackageService();
    return service;
  });
  const stop = stageOf('Service ends', async () => (await service)?.stop());
  const built = names.filter((name) => name !== 'client' && hasScript(name, 'build'));
  const checks = names.flatMap((name) => [
    [scriptStage(name, 'lint')],
    [scriptStage(name, 'test', async () => (await service)?.env)],
  ]);
  return [
    scriptStage('client', 'build'),
    { sideBySide: [[start], ...built.map((name) => [scriptStage(name, 'build')])] },
    { sideBySide: checks },
    stop,
  ];
}

/** Runs a script of a package, and shows all it wrote if it failed. Tests are counted one by one. */
function scriptStage(
  name: string,
  script: 'build' | 'lint' | 'test',
  settings: () => Promise<Record<string, string> | undefined> = async () => undefined,
): Stage {
  return {
    label: `${name}: ${script}`,
    run: async (signal) => {
      const options = { env: { ...(await settings()) }, signal };
      const { code, output } = await runPackageScript(projectPath(name), script, options);
      if (code !== 0) console.log(output);
      return script === 'test' ? countNodeTests(output, code) : countOne(code === 0);
    },
  };
}

function hasScript(name: string, script: string): boolean {
  return script in JSON.parse(readFileSync(projectPath(name, 'package.json'), 'utf8')).scripts;
}

/**
 * Starts `test/packages/main.ts`.
 * @throws UserError when it does not start; `stop` throws one when an answer broke the contract
 */
async function startPackageService(): Promise<PackageService> {
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
    env: told[0],
    stop: async () => {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new UserError(`The service for the packages ended with ${code}:\n${output}`);
    },
  };
}
