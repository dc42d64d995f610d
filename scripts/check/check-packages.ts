import { readFileSync } from 'node:fs';
import { countNodeTests, countOne } from '#scripts/check/count-results.ts';
import { type Plan, type Stage, stageOf } from '#scripts/check/run-plan.ts';
import { installPackages } from '#scripts/tools/install-packages.mjs';
import { projectPath } from '#scripts/tools/project.ts';
import { runPackageScript } from '#scripts/tools/run-tool.ts';
import { UserError } from '#scripts/tools/user-error.ts';
import { type ChildProgram, startProgram } from '#test/child-program.ts';

/** What users of the platforms install: a folder, a lock file and the scripts of its package.json each. */
export const PACKAGES: readonly string[] = ['client', 'zapier', 'n8n', 'bruno'];

/** The running service. Its message is the environment in which tests of the packages find it. */
type PackageService = ChildProgram<Record<string, string>>;

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
    service = startProgram('test/packages/main.ts', { NODE_ENV: 'test', DATABASE_URL: '' });
    return service;
  });
  // It ends with 1 when an answer broke the contract.
  const stop = stageOf('Service ends', async () => {
    const code = await (await service)?.stop();
    if (code)
      throw new UserError(`The service for the packages ended with ${code}:\n${(await service)?.output()}`);
  });
  const built = names.filter((name) => name !== 'client' && hasScript(name, 'build'));
  const checks = names.flatMap((name) => [
    [scriptStage(name, 'lint')],
    [scriptStage(name, 'test', async () => (await service)?.message)],
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
