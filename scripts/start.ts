import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bringUp } from '#scripts/bring-up.ts';
import { claimDataFolder } from '#scripts/data-folder.ts';
import { planStart } from '#scripts/demo-settings.ts';
import { describeError } from '#scripts/explained-error.ts';
import { assertPortFree } from '#scripts/ports.ts';
import { dataDirOf, loadEnvFile } from '#scripts/project.ts';
import { showAddresses } from '#scripts/show-addresses.ts';
import { aborted, listenForStop } from '#scripts/stop-request.ts';
import { openSupervisor } from '#scripts/supervisor.ts';

/**
 * `npm start`: brings everything up, stays until asked to stop, and takes everything down in order. It is the
 * only process that a Ctrl-C reaches.
 */
async function start(): Promise<void> {
  const stop = listenForStop();
  const started = performance.now();
  loadEnvFile();
  const dataDir = dataDirOf(process.env);
  const plan = planStart(process.env, dataDir);
  const claim = await claimDataFolder(dataDir);
  const supervisor = openSupervisor(claim);
  try {
    await assertPortFree(plan.ports.PORT, 'PORT', process.env.HOST);
    for (const port of Object.values(plan.metricsPorts ?? {})) {
      await assertPortFree(port, 'METRICS_PORT', process.env.METRICS_HOST || '127.0.0.1');
    }
    if (plan.standIn) {
      await assertPortFree(plan.ports.PLATFORM_PORT, 'PLATFORM_PORT');
      await assertPortFree(plan.ports.PLATFORM_HOOKS_PORT, 'PLATFORM_HOOKS_PORT');
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
    await claim.release();
  }
}

try {
  await start();
} catch (error) {
  process.exitCode = 1;
  console.error(describeError(error));
}
process.exit();
