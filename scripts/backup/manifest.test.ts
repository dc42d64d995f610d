import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test as vitestTest } from 'vitest';
import {
  checksumOf,
  type Manifest,
  readManifest,
  verifyFiles,
  writeManifest,
} from '#scripts/backup/manifest.ts';
import { temporaryFolder } from '#test/fixtures/folder-test.ts';

const test = vitestTest.extend('backup', async ({ task: _ }, { onCleanup }) => {
  const folder = await temporaryFolder(onCleanup);
  return { folder, manifest: await fill(folder) };
});

describe('a backup', () => {
  test('is read as it was written', async ({ backup: { folder, manifest } }) => {
    const read = await readManifest(folder);
    expect(read).toEqual(manifest);
    await verifyFiles(folder, read);
  });

  test('with a changed byte is refused with the name of its file', async ({
    backup: { folder, manifest },
  }) => {
    await writeFile(join(folder, 'database/1.dat.gz'), 'onf');
    await expect(verifyFiles(folder, manifest)).rejects.toThrow('database/1.dat.gz has another checksum');
  });

  test('with a missing and a longer file names both', async ({ backup: { folder, manifest } }) => {
    await rm(join(folder, 'database/toc.dat'));
    await appendFile(join(folder, 'database/1.dat.gz'), '!');
    const refused = verifyFiles(folder, manifest);
    await expect(refused).rejects.toThrow('database/toc.dat is missing');
    await expect(refused).rejects.toThrow('database/1.dat.gz has 4 bytes instead of 3');
  });

  test('without a manifest is incomplete', async ({ backup: { folder } }) => {
    await rm(join(folder, 'manifest.json'));
    await expect(readManifest(folder)).rejects.toThrow(`${folder} has no complete backup`);
  });

  test('with a damaged manifest is refused with the damaged fields', async ({ backup: { folder } }) => {
    await writeFile(join(folder, 'manifest.json'), '{"format":1,');
    await expect(readManifest(folder)).rejects.toThrow(/manifest\.json is damaged.*the whole file/);
    await writeFile(join(folder, 'manifest.json'), '{"format":2}');
    await expect(readManifest(folder)).rejects.toThrow(/newer version: format, version/);
  });

  test('whose manifest names a file outside of it is refused', async ({ backup: { folder, manifest } }) => {
    const files = { '../other': { bytes: 3, sha256: 'a'.repeat(64) } };
    await writeManifest(folder, { ...manifest, files });
    await expect(readManifest(folder)).rejects.toThrow(/files/);
  });
});

async function fill(folder: string): Promise<Manifest> {
  await mkdir(join(folder, 'database'));
  const files: Manifest['files'] = {};
  for (const [path, text] of [
    ['database/1.dat.gz', 'one'],
    ['database/toc.dat', 'contents'],
  ] as const) {
    await writeFile(join(folder, path), text);
    files[path] = await checksumOf(join(folder, path));
  }
  const manifest: Manifest = {
    format: 1,
    version: '0.1.0',
    takenAt: '2026-11-28T12:00:00.000Z',
    migration: '20261128133113_held_work',
    postgres: { server: 18, client: 18 },
    rows: { 'public.users': 3 },
    storedFiles: [],
    files,
  };
  await writeManifest(folder, manifest);
  return manifest;
}
