import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isCostly } from '#scripts/check/tiers.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tiers-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  ["import { startOwnPostgres } from '#test/database/own-postgres.ts';", true],
  ["import { execFile } from 'node:child_process';", true],
  ["import { startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';", true],
  ["import { test } from '#test/fixtures/large-workspace-test.ts';", true],
  ["import { test } from '#test/fixtures/service-test.ts';", false],
  ["import { brokenOff } from '#test/faults/break-off.ts';", false],
  ['// Mostly waits.', false],
])(
  'the everyday tier leaves out only files that start processes or fill a large workspace: %s',
  async (text, isLeftOut) => {
    const file = join(folder, 'file');
    await writeFile(file, text);
    expect(isCostly(file)).toBe(isLeftOut);
  },
);
