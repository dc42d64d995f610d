import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { migrate } from '#prisma/migrate.ts';
import { startEmbeddedPostgres } from '#scripts/postgres/embedded-postgres.ts';
import { writeRunningAddress } from '#scripts/start/fill-in-settings.ts';
import { db } from '#server/core/database/prisma.ts';
import { projectDir } from '#server/core/project.ts';
import { digest } from '#server/core/secrets.ts';
import { makeUser } from '#test/fixtures/factories.ts';
import { temporaryFolder } from '#test/fixtures/folder-test.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';

const test = serviceTest.extend('folder', { scope: 'file' }, ({ service: _ }, { onCleanup }) =>
  temporaryFolder(onCleanup),
);

describe('npm run workspace:create', () => {
  test('prints the link to set a password, and no other secret', async () => {
    const { code, stdout, stderr } = await create(['--name', 'Acme', ...PLAN, ...OWNER]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Created the workspace Acme on the Growth plan.');
    const [link, token = ''] = /^ {2}http:\/\/inbox\.test\/invitation\?token=(\w{43})$/m.exec(stdout) ?? [];
    expect(link).toBeDefined();
    const { tokenHash } = await db().invitation.findFirstOrThrow({ where: { email: 'ada@example.com' } });
    expect(Buffer.from(tokenHash ?? [])).toEqual(Buffer.from(digest(token)));
  });

  test('prints another link for the same workspace when run again', async () => {
    const { code, stdout } = await create(['--name', 'Acme', ...PLAN, ...OWNER]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'The workspace Acme already exists, and its owner has not accepted the invitation yet.',
    );
    expect(await db().workspace.count({ where: { name: 'Acme' } })).toBe(1);
  });

  test('prints the sign-in page for an owner with an account', async () => {
    const { email } = await makeUser();
    const { stdout } = await create(['--name', 'Beta', ...PLAN, '--owner-email', email]);
    expect(stdout).toContain(`${email} already has an account and is now its owner.`);
    expect(stdout).toContain('\n  http://inbox.test/sign-in\n');
  });

  test('reports a wrong argument, and creates nothing', async () => {
    const before = await db().workspace.count();
    const wrong: [string[], string][] = [
      [['--name', 'Acme', '--plan', 'gold', ...OWNER], '--plan must be starter, growth, business, or scale'],
      [['--name', 'Acme', ...PLAN, '--owner-email', 'ada'], '--owner-email: Enter a complete email address'],
      [['--name', 'x'.repeat(81), ...PLAN, ...OWNER], '--name: The workspace name must be at most 80'],
      [
        ['--name', 'Acme', '--plan', 'scale', ...OWNER],
        '--plan: The workspace Acme has already been created for this owner',
      ],
    ];
    for (const [args, sentence] of wrong) {
      const { code, stdout, stderr } = await create(args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    expect(await db().workspace.count()).toBe(before);
  });

  test('reports a missing database, one that is not migrated, or no npm start', async ({ folder }) => {
    const args = ['--name', 'Acme', ...PLAN, ...OWNER];
    const empty = new URL(process.env.DATABASE_URL ?? '');
    empty.pathname = '/postgres';
    const wrong: [Record<string, string>, string][] = [
      [{ DATABASE_URL: 'postgresql://inbox:secret@127.0.0.1:1/inbox' }, 'The database cannot be reached'],
      [{ DATABASE_URL: empty.href }, 'run npm run db:migrate first'],
      [{ DATABASE_URL: '', DATA_DIR: join(folder, 'nothing') }, 'npm start is not running on '],
      [{ PLATFORM_CLIENT_ID: '' }, 'PLATFORM_CLIENT_ID is not set.'],
    ];
    for (const [env, sentence] of wrong) {
      const { code, stderr } = await create(args, env);
      expect(code).toBe(1);
      expect(stderr).toContain(sentence);
      expect(stderr).not.toMatch(/^\s+at |secret/m);
    }
  });

  test('finds the PostgreSQL and the address of npm start', async ({ folder }) => {
    const dataDir = join(folder, 'data');
    const settings = { fsync: 'off', max_connections: 30 };
    const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), settings });
    try {
      await postgres.ensureDatabase('inbox');
      await migrate(postgres.url('inbox'));
      const own = ['BASE_URL', 'DATABASE_URL', 'SESSION_SECRET'].map((name) => [name, ''] as const);
      const env = { ...Object.fromEntries(own), DATA_DIR: dataDir };
      await writeRunningAddress(dataDir, 'http://localhost:3999');
      const addresses: [string, string][] = [
        ['', 'http://localhost:3999'],
        ['3456', 'http://localhost:3456'],
      ];
      for (const [PORT, address] of addresses) {
        const args = ['--name', 'Acme', ...PLAN, ...OWNER];
        const { code, stdout, stderr } = await create(args, { ...env, PORT });
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toContain(`\n  ${address}/invitation?token=`);
      }
    } finally {
      await postgres.stop();
    }
  });
});

const PLAN = ['--plan', 'growth'];
const OWNER = ['--owner-email', 'ada@example.com'];

async function create(args: string[], env: Record<string, string> = {}) {
  const program = join(projectDir, 'scripts', 'commands', 'create-workspace.ts');
  return promisify(execFile)(process.execPath, [program, ...args], { env: { ...process.env, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}
