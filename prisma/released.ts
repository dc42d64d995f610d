import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { readMigrationFiles } from '#prisma/engine/migration-files.ts';
import { JOBS } from '#server/core/jobs/jobs.ts';
import { liveMessage } from '#server/core/live/listen.ts';
import { LIVE_TOPICS } from '#server/core/live/live-topics.ts';
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
  /** Required fields of each kind of live message. */
  liveMessages: z.record(z.string(), z.array(z.string())),
});

export type Released = z.output<typeof released>;

const FILE = projectPath('prisma', 'released.json');

export async function readReleased(): Promise<Released> {
  return released.parse(JSON.parse(await readFile(FILE, 'utf8')));
}

/** Returns the required fields of the payload of each job. */
export function requiredJobFields(): Released['jobs'] {
  return sortByKey(Object.entries(JOBS).map(([name, { shape }]) => [name, requiredIn(shape)]));
}

/** Returns the required fields of each kind of live message. A kind is named by its last field, or by its topic. */
export function requiredLiveFields(): Released['liveMessages'] {
  const entries = liveMessage.options.flatMap(({ shape }): [string, string[]][] => {
    const fields = requiredIn(shape);
    if ('topic' in shape) return LIVE_TOPICS.map((topic) => [`topic ${topic}`, fields]);
    return [[Object.keys(shape).at(-1) ?? '', fields]];
  });
  return sortByKey(entries);
}

/** Returns the names of required fields, also of those of objects. */
function requiredIn(shape: Record<string, z.ZodType>): string[] {
  const required = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success);
  return required
    .flatMap(([name, field]) =>
      field instanceof z.ZodObject ? requiredIn(field.shape).map((inner) => `${name}.${inner}`) : [name],
    )
    .toSorted();
}

function sortByKey(entries: [string, string[]][]): Record<string, string[]> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Writes what the current code is as the last release. */
async function record([version, commit]: string[]): Promise<void> {
  if (version === undefined || commit === undefined) {
    throw new UserError('Usage: node prisma/released.ts VERSION COMMIT');
  }
  const lastMigration = (await readMigrationFiles(projectPath('prisma', 'migrations'))).at(-1)?.name ?? '';
  const written: Released = {
    version,
    commit,
    lastMigration,
    jobs: requiredJobFields(),
    liveMessages: requiredLiveFields(),
  };
  await writeFile(FILE, `${JSON.stringify(written, null, 2)}\n`);
}

if (import.meta.main) await runCli(() => record(process.argv.slice(2)));
