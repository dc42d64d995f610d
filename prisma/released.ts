import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { readMigrationFiles } from '#prisma/engine/migration-files.ts';
import { JOBS } from '#server/core/jobs/jobs.ts';
import { projectPath } from '#server/core/project.ts';
import { runCli, UserError } from '#server/core/user-error.ts';

/** The last release, whose processes run beside the new ones during an upgrade. */
const released = z.object({
  version: z.string(),
  /** Commit or tag. */
  commit: z.string(),
  lastMigration: z.string(),
  /** Required fields of the payload of each job. */
  jobs: z.record(z.string(), z.array(z.string())),
});

export type Released = z.output<typeof released>;

const FILE = projectPath('prisma', 'released.json');

export async function readReleased(): Promise<Released> {
  return released.parse(JSON.parse(await readFile(FILE, 'utf8')));
}

/** Returns the required fields of the payload of each job. */
export function requiredFields(): Released['jobs'] {
  const entries = Object.entries(JOBS).map(([name, { shape }]) => {
    const required = Object.entries(shape).filter(([, field]) => !field.isOptional());
    return [name, required.map(([field]) => field).toSorted()] as const;
  });
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Writes what the current code is as the last release. */
async function record([version, commit]: string[]): Promise<void> {
  if (version === undefined || commit === undefined) {
    throw new UserError('Usage: node prisma/released.ts VERSION COMMIT');
  }
  const lastMigration = (await readMigrationFiles(projectPath('prisma', 'migrations'))).at(-1)?.name ?? '';
  const written: Released = { version, commit, lastMigration, jobs: requiredFields() };
  await writeFile(FILE, `${JSON.stringify(written, null, 2)}\n`);
}

if (import.meta.main) await runCli(() => record(process.argv.slice(2)));
