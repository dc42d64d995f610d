import { readFileSync } from 'node:fs';
import { type Counts, countNodeTests, countOne } from '#scripts/check/count-results.ts';
import { type Plan, type Stage, stageOf } from '#scripts/check/run-plan.ts';
import { runReadme } from '#scripts/check/run-readme.ts';
import { type ChildProgram, startProgram } from '#scripts/tools/child-program.ts';
import { PACKAGES } from '#scripts/tools/install-packages.mjs';
import { runPackageScript, type ToolResult } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

/** The running service. Its message is the environment for the packages' tests. */
type PackageService = ChildProgram<Record<string, string>>;

/**
 * Builds, lints and tests installed packages in parallel against one service, which starts during the builds. The
 * client comes first, because the tests of other packages use it. Then each package is installed and run in a clean
 * copy as its README says.
 */
export function packagesPlan(names = PACKAGES): Plan {
  let service: Promise<PackageService> | undefined;
  const start = stageOf('Service for packages', () => {
    service = startProgram('test/fixtures/package-service.ts', { NODE_ENV: 'test', DATABASE_URL: '' });
    return service;
  });
  // Its exit code is 1 if a response broke the contract.
  const stop = stageOf('Service stops', async () => {
    const code = await (await service)?.stop();
    if (code)
      throw new UserError(`The service for the packages ended with ${code}:\n${(await service)?.output()}`);
  });
  const settings = async () => (await service)?.message;
  const built = names.filter((name) => name !== 'client' && hasScript(name, 'build'));
  const checks = names.flatMap((name) => [
    [scriptStage(name, 'lint')],
    ...(hasScript(name, 'lint:tests') ? [[scriptStage(name, 'lint:tests')]] : []),
    [scriptStage(name, 'test', settings)],
  ]);
  return [
    scriptStage('client', 'build'),
    { sideBySide: [[start], ...built.map((name) => [scriptStage(name, 'build')])] },
    { sideBySide: checks },
    { sideBySide: names.map((name) => [readmeStage(name, settings)]) },
    stop,
  ];
}

type Settings = () => Promise<Record<string, string> | undefined>;

/** Runs a script of a package. Its tests are counted individually. */
function scriptStage(
  name: string,
  script: 'build' | 'lint' | 'lint:tests' | 'test',
  settings: Settings = async () => undefined,
): Stage {
  const folder = projectPath('packages', name);
  return stageOfPackage(
    `${name}: ${script}`,
    async (signal) => runPackageScript(folder, script, { env: { ...(await settings()) }, signal }),
    ({ code, output }) => (script === 'test' ? countNodeTests(output, code) : countOne(code === 0)),
  );
}

function readmeStage(name: string, settings: Settings): Stage {
  return stageOfPackage(
    `${name}: README`,
    async (signal) => runReadme(name, await settings(), signal),
    ({ code }) => countOne(code === 0),
  );
}

/** Returns a stage that shows all output of its program if the program fails. */
function stageOfPackage(
  label: string,
  run: (signal: AbortSignal) => Promise<ToolResult>,
  count: (result: ToolResult) => Counts,
): Stage {
  return {
    label,
    run: async (signal) => {
      const result = await run(signal);
      if (result.code !== 0) console.log(result.output);
      return count(result);
    },
  };
}

function hasScript(name: string, script: string): boolean {
  return script in JSON.parse(readFileSync(projectPath('packages', name, 'package.json'), 'utf8')).scripts;
}
