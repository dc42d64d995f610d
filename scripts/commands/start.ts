import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bringUp } from '#scripts/start/bring-up.ts';
import { chooseProvidersPorts } from '#scripts/start/choose-providers-ports.ts';
import { planStart } from '#scripts/start/demo-settings.ts';
import { type Held, type Lock, lock } from '#scripts/start/lock.ts';
import { showAddresses } from '#scripts/start/show-addresses.ts';
import { openSupervisor } from '#scripts/start/supervisor.ts';
import { waitForPort } from '#scripts/tools/ports.ts';
import { dataDirOf, loadEnvFile } from '#scripts/tools/project.ts';
import { aborted, listenForStop } from '#scripts/tools/stop-request.ts';
import { codeOf, describeError, reasonOf, UserError } from '#scripts/tools/user-error.ts';

/**
 * `npm start`: brings everything up, stays until asked to stop, and takes everything down in order. It is the
 * only process that a Ctrl-C reaches.
 */
async function start(): Promise<void> {
  const stop = listenForStop();
  const started = performance.now();
  loadEnvFile();
  const dataDir = dataDirOf(process.env);
  await chooseProvidersPorts(process.env);
  const plan = planStart(process.env, dataDir);
  const ours = await lockDataFolder(dataDir);
  const supervisor = openSupervisor();
  try {
    await waitForPort(plan.ports.PORT, 'PORT', process.env.HOST);
    for (const port of Object.values(plan.metricsPorts ?? {})) {
      await waitForPort(port, 'METRICS_PORT', process.env.METRICS_HOST || '127.0.0.1');
    }
    if (plan.standIn) {
      await waitForPort(plan.ports.PLATFORM_PORT, 'PLATFORM_PORT');
      await waitForPort(plan.ports.PLATFORM_HOOKS_PORT, 'PLATFORM_HOOKS_PORT');
      await mkdir(join(dataDir, 'platform'), { recursive: true });
    }
    await bringUp(plan, dataDir, supervisor, stop.asked);
    showAddresses(plan, dataDir, performance.now() - started);
    await aborted(stop.asked);
  } catch (error) {
    if (stop.asked.aborted) return;
    process.exitCode = 1;
    console.error(`\n${describeError(error)}`);
  } finally {
    if (stop.asked.aborted)
      console.log('\nStopping: work under way is finished first; Ctrl-C again hurries.');
    await supervisor.stop(stop.hurried);
    await ours.release();
  }
}

/** Makes the data folder ours. Throws a `UserError` if it cannot be written, or if another run is using it. */
async function lockDataFolder(dataDir: string): Promise<Lock> {
  const taken = await tryToLock(dataDir);
  if ('release' in taken) return taken;
  throw new UserError(
    `npm start is already running on ${dataDir} (process ${taken.heldBy}): stop it first, ` +
      'or set DATA_DIR and other ports for a second one.',
  );
}

async function tryToLock(dataDir: string): Promise<Lock | Held> {
  try {
    await makeFolder(dataDir);
    return await lock(dataDir);
  } catch (error) {
    throw new UserError(
      `The data folder ${dataDir} cannot be written to (${codeOf(error) ?? reasonOf(error)}): ` +
        'make it writable, or set DATA_DIR to another folder.',
    );
  }
}

/** Like mkdir with `recursive`, which never ends on Linux where a system folder such as /proc takes no new ones. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  if (folder !== dirname(folder)) await makeFolder(dirname(folder));
  await mkdir(folder);
}

try {
  await start();
} catch (error) {
  process.exitCode = 1;
  console.error(describeError(error));
}
process.exit();
