import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { bringUp } from '#scripts/start/bring-up.ts';
import { chooseProvidersPorts, planStart, type StartPlan } from '#scripts/start/demo-settings.ts';
import { type Lock, lock } from '#scripts/start/lock.ts';
import { openSupervisor } from '#scripts/start/supervisor.ts';
import { waitForPorts } from '#scripts/tools/ports.ts';
import { aborted, listenForStop } from '#scripts/tools/stop-request.ts';
import { dataDirOf, loadEnvironment, projectDir } from '#server/core/project.ts';
import { codeOf, describeError, reasonOf, runCli, UserError } from '#server/core/user-error.ts';

/**
 * `npm start`: starts everything, waits until it should stop, and stops everything in order. Only this process
 * receives Ctrl-C.
 */
async function start(): Promise<void> {
  const stop = listenForStop();
  const started = performance.now();
  loadEnvironment(process.env);
  const dataDir = dataDirOf(process.env);
  const named = await chooseProvidersPorts(process.env);
  const plan = planStart(process.env, dataDir);
  const ours = await lockDataFolder(dataDir);
  const supervisor = openSupervisor();
  try {
    const { PORT, ...platform } = plan.ports;
    const host = process.env.METRICS_HOST || '127.0.0.1';
    await waitForPorts([
      { port: PORT, setting: 'PORT', host: process.env.HOST || '127.0.0.1' },
      ...Object.values(plan.metricsPorts ?? {}).map((port) => ({ port, setting: 'METRICS_PORT', host })),
      ...(plan.standIn ? Object.entries(platform).map(([setting, port]) => ({ setting, port })) : []),
      ...named,
    ]);
    if (plan.standIn) {
      await mkdir(join(dataDir, 'platform'), { recursive: true });
    }
    await bringUp(plan, dataDir, supervisor, stop.requested);
    showAddresses(plan, dataDir, performance.now() - started);
    await aborted(stop.requested);
  } catch (error) {
    if (stop.requested.aborted) return;
    process.exitCode = 1;
    console.error(`\n${describeError(error)}`);
  } finally {
    if (stop.requested.aborted)
      console.log('\nStopping after current work. Press Ctrl-C again to stop immediately.');
    await supervisor.stop(stop.forced);
    ours.release();
  }
}

/**
 * Locks the data folder.
 * @throws UserError when it is not writable or in use
 */
async function lockDataFolder(dataDir: string): Promise<Lock> {
  const result = await makeFolder(dataDir)
    .then(() => lock(dataDir))
    .catch((error: unknown) => {
      throw new UserError(
        `The data folder ${dataDir} cannot be written to (${codeOf(error) ?? reasonOf(error)}): ` +
          'make it writable, or set DATA_DIR to another folder.',
      );
    });
  if ('release' in result) return result;
  throw new UserError(
    `npm start is already running on ${dataDir} (process ${result.heldBy}): stop it first, ` +
      'or set DATA_DIR and other ports for a second one.',
  );
}

/** Creates a folder and its parents. `mkdir` with `recursive` never ends on Linux in system folders such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  if (folder !== dirname(folder)) await makeFolder(dirname(folder));
  await mkdir(folder);
}

function showAddresses(plan: StartPlan, dataDir: string, milliseconds: number): void {
  const lines = [
    ['Inbox', plan.baseUrl],
    ['API documentation', `${plan.baseUrl}/docs`],
    ...(plan.standIn ? [['Stand-in platform', `http://localhost:${plan.ports.PLATFORM_PORT}`]] : []),
    ...(plan.providers ? [['Stand-in providers', `http://localhost:${plan.providers.PROVIDERS_PORT}`]] : []),
    ...Object.entries(plan.metricsPorts ?? {}).map(([name, port]) => [
      `Metrics of the ${name}`,
      `http://localhost:${port}/metrics`,
    ]),
    ...(plan.embedded ? SIGN_INS : []),
  ].map(([label = '', text]) => `  ${label.padEnd(21)} ${text}`);
  const logs = relative(projectDir, join(dataDir, 'log'));
  console.log(`\nStarted in ${(milliseconds / 1000).toFixed(1)} s.\n\n${lines.join('\n')}\n`);
  console.log(`Logs are in ${logs.startsWith('..') ? join(dataDir, 'log') : logs}. Stop with Ctrl-C.`);
}

const SIGN_INS = [
  ['Sign in as', 'owner@demo.test, admin@demo.test, agent@demo.test or viewer@demo.test'],
  ['Password', 'demo-password'],
];

await runCli(start);
process.exit();
