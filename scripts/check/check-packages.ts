import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Counts, countNodeTests, countOne } from '#scripts/check/count-results.ts';
import { type Plan, type Stage, stageOf } from '#scripts/check/run-plan.ts';
import { API_DOCUMENTS, copyPackage, parseCommands, runReadme } from '#scripts/check/run-readme.ts';
import { type ChildProgram, startProgram } from '#scripts/tools/child-program.ts';
import { COMPILE_CACHE } from '#scripts/tools/compile-cache.ts';
import { PACKAGES } from '#scripts/tools/install-packages.mjs';
import { countEndedProgram } from '#scripts/tools/processor-time.ts';
import { runPackageScript, type ToolResult } from '#scripts/tools/run-tool.ts';
import { projectPath } from '#server/core/project.ts';
import { UserError } from '#server/core/user-error.ts';

/** The running service. Its message is the environment for the packages' tests. */
type PackageService = ChildProgram<Record<string, string>>;

/**
 * Runs the README of each package in a clean copy, all in parallel, against one service. Its commands install, build
 * and lint. Then the copies are put side by side, because tests use the client, and the scripts that no README names
 * run there. So each package is installed and built only once.
 */
export function packagesPlan(names = PACKAGES): Plan {
  const place = mkdtempSync(join(tmpdir(), 'packages-'));
  // Even after an abort.
  process.once('exit', () => rmSync(place, { recursive: true, force: true }));
  let service: Promise<PackageService> | undefined;
  const start = stageOf('Service for packages', () => {
    service = startProgram('test/fixtures/package-service.ts', {
      ...COMPILE_CACHE,
      NODE_ENV: 'test',
      DATABASE_URL: '',
    });
    return service;
  });
  // Its exit code is 1 if a response broke the contract.
  const stop = stageOf('Service stops', async () => {
    const code = await (await service)?.stop();
    countEndedProgram();
    if (code)
      throw new UserError(`The service for the packages ended with ${code}:\n${(await service)?.output()}`);
  });
  const settings = async () => (await service)?.message;
  const read = [...new Set(['client', ...names])];
  return [
    { sideBySide: [[start], ...read.map((name) => [readmeStage(name, place, settings)])] },
    {
      sideBySide: names.flatMap((name) =>
        scriptsBesideReadme(name).map((script) => [scriptStage(name, script, place, settings)]),
      ),
    },
    stop,
  ];
}

type Settings = () => Promise<Record<string, string> | undefined>;

/** Runs a package's README in a folder without other packages, then moves the copy beside the others. */
function readmeStage(name: string, place: string, settings: Settings): Stage {
  return stageOfPackage(
    `${name}: README`,
    async (signal) => {
      const folder = await copyPackage(name, join(place, 'alone', name));
      const result = await runReadme(folder, await settings(), signal);
      const together = join(place, 'together');
      await mkdir(join(together, 'packages'), { recursive: true });
      for (const document of API_DOCUMENTS) await copyFile(projectPath(document), join(together, document));
      await rename(folder, join(together, 'packages', name));
      return result;
    },
    ({ code }) => countOne(code === 0),
  );
}

type Script = 'lint' | 'lint:tests' | 'test';

/** Runs a script in the copy of a package. Its tests are counted individually. */
function scriptStage(name: string, script: Script, place: string, settings: Settings): Stage {
  return stageOfPackage(
    `${name}: ${script}`,
    async (signal) => {
      const folder = join(place, 'together', 'packages', name);
      return runPackageScript(folder, script, { env: { ...(await settings()) }, signal });
    },
    ({ code, output }) => (script === 'test' ? countNodeTests(output, code) : countOne(code === 0)),
  );
}

/** Returns the checks of a package that the commands in its README do not run. */
function scriptsBesideReadme(name: string): Script[] {
  const read = (file: string) => readFileSync(projectPath('packages', name, file), 'utf8');
  const commands = parseCommands(read('README.md')).split('\n');
  const { scripts } = JSON.parse(read('package.json'));
  return (['lint', 'lint:tests', 'test'] as const).filter(
    (script) => script in scripts && !commands.includes(`npm run ${script}`),
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
