import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Counts, countNodeTests, countOne, sumCounts } from '#scripts/check/count-results.ts';
import { startPackageService } from '#scripts/check/package-service.ts';
import { installPackages } from '#scripts/tools/install-packages.mjs';
import { projectPath } from '#scripts/tools/project.ts';
import { runPackageScript } from '#scripts/tools/run-tool.ts';
import { stepLine } from '#scripts/tools/steps.ts';

/** What users of the platforms install: a folder, a lock file and the scripts of its package.json each. */
export const PACKAGES: readonly string[] = ['client', 'zapier', 'n8n', 'bruno'];

/** What a package may have. Tests are counted one by one, the others as one each. */
type Script = 'build' | 'lint' | 'test';

/**
 * Installs the packages for platforms where that is due, builds, lints and tests them, all at once and against one real
 * service: most of their tests wait for it. Only they need it, and it starts meanwhile. The client is built first, as
 * the tests of others call the service with it.
 */
export async function checkPackages(signal: AbortSignal, names = PACKAGES): Promise<Counts> {
  const wanted = PACKAGES.filter((name) => name === 'client' || names.includes(name));
  const starting = startPackageService();
  const env = starting.then((service) => service.env);
  // A service that does not start is reported once a test needs it.
  env.catch(() => undefined);
  try {
    await installAll(wanted);
    const clientBuild = await runScript('client', 'build', {}, signal);
    const checked = names.map((name) => checkPackage(name, env, signal));
    // Wait for all packages before the first failure is thrown.
    await Promise.allSettled(checked);
    return sumCounts([clientBuild, ...(await Promise.all(checked))]);
  } finally {
    const service = await starting.catch(() => undefined);
    await service?.stop();
  }
}

/**
 * Installs packages for platforms where that is due, all at once. Where one fails the others are waited for, so that no
 * npm is left behind that still writes.
 */
export async function installAll(names: readonly string[] = PACKAGES): Promise<void> {
  const installed = await Promise.allSettled(names.map((name) => installPackages(projectPath(name), name)));
  for (const result of installed) if (result.status === 'rejected') throw result.reason;
}

async function checkPackage(
  name: string,
  env: Promise<Record<string, string>>,
  signal: AbortSignal,
): Promise<Counts> {
  const build = name === 'client' ? sumCounts([]) : await runScript(name, 'build', {}, signal);
  if (build.failed > 0) return build;
  const running = [
    runScript(name, 'lint', {}, signal),
    env.then((settings) => runScript(name, 'test', settings, signal)),
  ];
  await Promise.allSettled(running);
  return sumCounts([build, ...(await Promise.all(running))]);
}

/** Runs a script of a package, if it has it, and shows its time, and all it wrote if it failed. */
async function runScript(
  name: string,
  script: Script,
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<Counts> {
  signal.throwIfAborted();
  const folder = projectPath(name);
  if (!hasScript(folder, script)) return sumCounts([]);
  const started = performance.now();
  const { code, output } = await runPackageScript(folder, script, { env, signal });
  const counts = namedAfter(
    name,
    script,
    script === 'test' ? countNodeTests(output, code) : countOne(code === 0),
  );
  if (counts.failed > 0) console.log(output);
  const text = counts.failed > 0 ? `${counts.failed} FAILED` : `${counts.passed} passed`;
  console.log(stepLine(`${name}: ${script}`, text, performance.now() - started));
  return counts;
}

/** Failures under the name of their package; a script that names none is one itself. */
function namedAfter(name: string, script: string, counts: Counts): Counts {
  const named = counts.failures.map((failure) => `${name}/${failure}`);
  const failures = counts.failed > named.length ? [...named, `${name}: ${script}`] : named;
  return { ...counts, failures };
}

function hasScript(folder: string, script: string): boolean {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return script in scripts;
}
