import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { ANY_MAJOR, findClientPrograms, runRestore, splitAddress } from '#scripts/backup/client-programs.ts';
import { test } from '#test/fixtures/folder-test.ts';

describe('pg_dump', () => {
  test('of the folder in POSTGRES_BIN_DIR is used if it is as new as the server', async ({ folder }) => {
    const POSTGRES_BIN_DIR = await install(folder, 18);
    for (const major of [15, 18]) {
      expect(await findClientPrograms(major, { POSTGRES_BIN_DIR })).toEqual({
        folder: POSTGRES_BIN_DIR,
        major: 18,
      });
    }
  });

  test('that is older than the server is refused with what to install', async ({ folder }) => {
    const POSTGRES_BIN_DIR = await install(folder, 15);
    await expect(findClientPrograms(18, { POSTGRES_BIN_DIR })).rejects.toThrow(
      /^pg_dump 15 in .* is too old for PostgreSQL 18\. Install the package postgresql-client-18 /,
    );
  });

  test('that is missing is refused with where it was looked for', async ({ folder }) => {
    const POSTGRES_BIN_DIR = join(folder, 'none');
    await expect(findClientPrograms(18, { POSTGRES_BIN_DIR })).rejects.toThrow(
      /^pg_dump was not found in .*none, which POSTGRES_BIN_DIR names\./,
    );
    await expect(findClientPrograms(ANY_MAJOR, { POSTGRES_BIN_DIR })).rejects.toThrow(
      'Install the package postgresql (',
    );
  });
});

describe('the address of a database', () => {
  test('is given to pg_dump without the password, which other users could see', () => {
    expect(
      splitAddress('postgresql://inbox:p%40ss@db.test:5433/inbox?sslmode=verify-full&schema=public'),
    ).toEqual({
      address: 'postgresql://inbox@db.test:5433/inbox?sslmode=verify-full',
      env: { PGPASSWORD: 'p@ss' },
    });
  });

  test('keeps the folder of a socket, and has libpq’s name for an unchecked certificate', () => {
    expect(splitAddress('postgresql://inbox@localhost/inbox?host=/run/postgresql&sslmode=no-verify')).toEqual(
      {
        address: 'postgresql://inbox@localhost/inbox?host=%2Frun%2Fpostgresql&sslmode=require',
        env: {},
      },
    );
  });
});

describe('pg_restore that is newer than the server', () => {
  const UNKNOWN = `pg_restore: error: could not execute query: ERROR:  unrecognized configuration parameter "transaction_timeout"`;
  const END = 'pg_restore: warning: errors ignored on restore: 1';

  /** Runs a program of version 18 that writes these lines and fails, unless it may only end at the first error. */
  async function restoreWith(folder: string, server: number, lines: string[]): Promise<void> {
    const failing = `#!/bin/sh\ncase " $* " in *" --exit-on-error "*) exit 0 ;; esac\ncat >&2 <<'END'\n${lines.join('\n')}\nEND\nexit 1\n`;
    await writeFile(join(folder, 'pg_restore'), failing, { mode: 0o755 });
    const target = {
      programs: { folder, major: 18 },
      server,
      url: 'postgresql://db.test/inbox',
      dump: 'dump',
    };
    await runRestore(target, ['--jobs=2']);
  }

  test('continues after the setting that PostgreSQL 15 and 16 do not know', async ({ folder }) => {
    for (const server of [15, 16])
      await restoreWith(folder, server, [UNKNOWN, 'Command was: SET transaction_timeout = 0;', END]);
  });

  test('fails with any other error, and when it did not come to its end', async ({ folder }) => {
    const other = 'pg_restore: error: COPY failed for table "messages": ERROR:  disk full';
    await expect(restoreWith(folder, 16, [UNKNOWN, other, END])).rejects.toThrow('disk full');
    await expect(restoreWith(folder, 16, [UNKNOWN])).rejects.toThrow('pg_restore failed');
  });

  test('ends at its first error on servers that know the setting', async ({ folder }) => {
    for (const server of [17, 18]) await restoreWith(folder, server, ['not reached']);
  });
});

/** Creates a program that prints the version of a `pg_dump`. Returns its folder. */
async function install(folder: string, major: number): Promise<string> {
  const bin = join(folder, `${major}`);
  await mkdir(bin, { recursive: true });
  await writeFile(
    join(bin, 'pg_dump'),
    `#!/bin/sh\necho 'pg_dump (PostgreSQL) ${major}.3 (Debian ${major}.3-1)'\n`,
  );
  await chmod(join(bin, 'pg_dump'), 0o755);
  return bin;
}
