import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { type ZipEntry, zipOf } from '#server/administration/privacy/write-zip.ts';

describe('a ZIP archive', () => {
  test('that fails before it is piped ends no process, and whoever pipes it gets the error', async () => {
    const archive = zipOf(failing());
    await new Promise((resolve) => archive.on('close', resolve));
    await expect(pipeline(archive, new PassThrough())).rejects.toThrow('The database is unreachable.');
  });
});

// biome-ignore lint/correctness/useYield: it fails before the first entry.
async function* failing(): AsyncGenerator<ZipEntry> {
  throw new Error('The database is unreachable.');
}
