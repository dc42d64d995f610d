import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { claimFolder, type FolderClaim, isRunning } from '#scripts/claim-folder.ts';
import { codeOf, ExplainedError, reasonOf } from '#scripts/explained-error.ts';
import { signal, until } from '#scripts/processes.ts';
import type { RecordedProcess } from '#scripts/run-record.ts';

/**
 * Makes the data folder ours, and ends what an earlier run that was killed left running in it. Throws an
 * `ExplainedError` if the folder cannot be written, or if another run is using it.
 */
export async function claimDataFolder(dataDir: string): Promise<FolderClaim> {
  const claim = await tryToClaim(dataDir);
  if ('heldBy' in claim) {
    throw new ExplainedError(
      `npm start is already running on ${dataDir} (process ${claim.heldBy.pid}): stop it first, ` +
        'or set DATA_DIR and other ports for a second one.',
    );
  }
  await Promise.all(claim.leftovers.map(endLeftover));
  return claim;
}

async function tryToClaim(dataDir: string): Promise<FolderClaim | { heldBy: RecordedProcess }> {
  try {
    await makeFolder(dataDir);
    return await claimFolder(dataDir, 'npm start');
  } catch (error) {
    throw new ExplainedError(
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

async function endLeftover(left: RecordedProcess): Promise<void> {
  if (!(await isRunning(left))) return;
  signal(left.pid, 'SIGTERM');
  const ended = await until(async () => !(await isRunning(left)), LEFTOVER_MS);
  if (!ended && (await isRunning(left))) signal(-left.pid, 'SIGKILL');
  await until(async () => !(await isRunning(left)), LEFTOVER_MS);
}

/** What is left over has lost its supervisor, so nobody waits for its work; the database forgets none of it. */
const LEFTOVER_MS = 3_000;
