import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf } from '#scripts/processes.ts';
import { parseRunRecord, type RecordedProcess, type RunRecord } from '#scripts/run-record.ts';

/** The right to use a folder, until it is released. */
export type FolderClaim = {
  /** Processes that an earlier owner, who did not end properly, may have left running. */
  leftovers: RecordedProcess[];
  /** Writes down the processes of this run, so that the next one finds them if we are killed. */
  record(children: RecordedProcess[]): Promise<void>;
  release(): Promise<void>;
};

/**
 * Claims a folder for this process, or says which living process has it.
 *
 * Everyone writes a file of their own first and looks for those of others afterwards. Of two at once, whoever
 * looks last sees the other, so never both go on; that both give way at once is settled by trying again.
 */
export async function claimFolder(
  folder: string,
  name: string,
): Promise<FolderClaim | { heldBy: RecordedProcess }> {
  await mkdir(folder, { recursive: true });
  const owner = { name, pid: process.pid, identity: (await identityOf(process.pid)) ?? '' };
  const mine: RunRecord = { token: randomUUID(), owner, children: [] };
  for (let attempt = 1; ; attempt++) {
    await write(folder, mine);
    const others = (await readRecords(folder)).filter((record) => record.token !== mine.token);
    const living = await livingOwner(others);
    if (!living) return await take(folder, mine, others);
    await remove(folder, mine);
    if (attempt === ATTEMPTS) return { heldBy: living };
    await sleep(Math.random() * PAUSE_MS);
  }
}

/** The living process that has claimed a folder. */
export async function findOwner(folder: string): Promise<RecordedProcess | undefined> {
  return await livingOwner(await readRecords(folder));
}

/** Whether a process that was written down is still the one running under its number. */
export async function isRunning(recorded: RecordedProcess): Promise<boolean> {
  return (await identityOf(recorded.pid)) === recorded.identity;
}

/** The claim is ours: records of the dead are read once more for what they left, and removed. */
async function take(folder: string, mine: RunRecord, dead: RunRecord[]): Promise<FolderClaim> {
  for (const record of dead) await remove(folder, record);
  return {
    leftovers: dead.flatMap((record) => record.children),
    record: (children) => write(folder, { ...mine, children }),
    release: () => remove(folder, mine),
  };
}

async function livingOwner(records: RunRecord[]): Promise<RecordedProcess | undefined> {
  for (const { owner } of records) {
    if (await isRunning(owner)) return owner;
  }
  return undefined;
}

async function readRecords(folder: string): Promise<RunRecord[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^run-.*\.json$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return texts.map(parseRunRecord).filter((record) => record !== undefined);
}

/** Renamed into place, so that nobody ever reads half a record. */
async function write(folder: string, record: RunRecord): Promise<void> {
  const unfinished = join(folder, `unfinished-${record.token}`);
  await writeFile(unfinished, JSON.stringify(record));
  await rename(unfinished, fileOf(folder, record));
}

async function remove(folder: string, record: RunRecord): Promise<void> {
  await rm(fileOf(folder, record), { force: true });
}

function fileOf(folder: string, record: RunRecord): string {
  return join(folder, `run-${record.token}.json`);
}

const ATTEMPTS = 5;
const PAUSE_MS = 80;
