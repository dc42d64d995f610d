import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { codeOf, UserError } from '#server/core/user-error.ts';

const fileShape = z.object({ bytes: z.number().int().nonnegative(), sha256: z.hash('sha256') });

const manifestShape = z.object({
  format: z.literal(1),
  /** Version of the product. */
  version: z.string(),
  takenAt: z.iso.datetime(),
  /** The newest applied migration. */
  migration: z.string(),
  /** Major versions. */
  postgres: z.object({ server: z.number().int(), client: z.number().int() }),
  /** Number of rows of each table, with its schema. */
  rows: z.record(z.string(), z.number().int().nonnegative()),
  /** Ids of the files of the S3 store. */
  storedFiles: z.array(z.uuid()),
  /** By path in the backup's folder, with `/`. */
  files: z.record(z.string().regex(/^(database|files)(\/[\w-][\w.-]*)+$/), fileShape),
});

/** Contents of `manifest.json`, which is written last: a backup without one is incomplete. */
export type Manifest = z.output<typeof manifestShape>;
export type CheckedFile = z.output<typeof fileShape>;

const NAME = 'manifest.json';
/** The dump of the database, in the directory format of pg_dump. */
export const DATABASE_FOLDER = 'database';

/** Returns the path of a file of the S3 store in a backup. Folders stay small. */
export const storedFilePath = (id: string) => `files/${id.slice(-2)}/${id}`;

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, NAME), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @throws UserError when the folder has no complete backup, or one that this version cannot read */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, NAME), 'utf8').catch((error: unknown) => {
    throw new UserError(
      `${folder} has no complete backup: its ${NAME} cannot be read (${codeOf(error) ?? 'unknown error'}).`,
    );
  });
  const parsed = manifestShape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole file');
  throw new UserError(`${join(folder, NAME)} is damaged, or of a newer version: ${fields.join(', ')}.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Compares each file of a backup with the manifest.
 * @throws UserError that names each file that is missing or damaged
 */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  const problems: string[] = [];
  for (const [path, expected] of Object.entries(files)) {
    const problem = await findProblem(join(folder, path), expected);
    if (problem !== undefined) problems.push(`${path} ${problem}`);
  }
  if (problems.length === 0) return;
  const more = problems.length > SHOWN_MAX ? [`and ${problems.length - SHOWN_MAX} more`] : [];
  const shown = [...problems.slice(0, SHOWN_MAX), ...more];
  throw new UserError(`The backup in ${folder} is damaged. Use another one.\n${shown.join('\n')}`);
}

/** Maximum number of files that an error names. */
const SHOWN_MAX = 20;

async function findProblem(path: string, expected: CheckedFile): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size !== expected.bytes) return `has ${size} bytes instead of ${expected.bytes}`;
    return (await checksumOf(path)).sha256 === expected.sha256 ? undefined : 'has another checksum';
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? 'is missing' : `cannot be read (${codeOf(error)})`;
  }
}

/** Reads a file, and returns its size and checksum. */
export async function checksumOf(path: string): Promise<CheckedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(path), async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) {
      bytes += piece.length;
      hash.update(piece);
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}
