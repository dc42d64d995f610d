import { describe, expect, test } from 'vitest';
import { findBreaking } from '#prisma/engine/breaking-statements.ts';
import { type MigrationFile, readMigrationFiles } from '#prisma/engine/migration-files.ts';
import { type Released, readReleased, requiredFields } from '#prisma/released.ts';
import { projectPath } from '#server/core/project.ts';

// The processes of the last release run beside the new ones during an upgrade (CONTRIBUTING.md, Change the database).

/** These created indexes while blocking writes, before the rule. */
const BEFORE_THE_RULE = [
  '20261128093728_list_conversations_by_change',
  '20261128100132_index_changes_as_the_inbox',
  '20261128102800_webhook_endpoints',
];

describe('the processes of the last release can live with', () => {
  test('each migration since it', async () => {
    const files = await readMigrationFiles(projectPath('prisma', 'migrations'));
    const problems = findProblems(files, await readReleased());
    expect(problems.filter((problem) => !BEFORE_THE_RULE.some((name) => problem.startsWith(name)))).toEqual(
      [],
    );
  });

  test('each job: none of theirs is unknown now, or refused for a field that they do not write', async () => {
    expect(findJobProblems((await readReleased()).jobs, requiredFields())).toEqual([]);
  });
});

describe('a migration is refused that', () => {
  test.for([
    ['drops a table', 'drop table "contacts";'],
    ['drops a function', 'drop function stems_of(text);'],
    ['drops a column', 'ALTER TABLE "contacts" DROP COLUMN "city";'],
    ['drops a column without saying so', 'alter table contacts drop city;'],
    ['drops a column after another action', 'alter table "contacts" add "a" int, drop column "city"'],
    ['renames a column', 'alter table "contacts" rename column "city" to "town";'],
    ['renames a table', 'ALTER TABLE "contacts" RENAME TO "people";'],
    ['renames a value', `alter type "role" rename value 'agent' to 'teammate';`],
    ['changes a type', 'ALTER TABLE "contacts" ALTER COLUMN "city" SET DATA TYPE varchar(80);'],
    ['requires a column', 'alter table "contacts" alter column "city" set not null;'],
    ['adds a required column', 'ALTER TABLE "contacts" ADD COLUMN "town" TEXT NOT NULL;'],
    ['drops a default', 'alter table contacts alter column city drop default;'],
    ['blocks writes for an index', 'CREATE INDEX "i" ON "contacts"("city");'],
    ['blocks writes for a unique index', 'create unique index i on contacts (city) where city is not null;'],
  ])('%s', ([, sql = '']) => {
    expect(findBreaking(sql, new Set())).toHaveLength(1);
  });
});

describe('a migration may', () => {
  test.for([
    [
      'add what old processes do not know',
      `alter table "contacts" add "town" text, add "n" int not null default 0, add "kind" text not null default 'person';`,
    ],
    [
      'add a column whose default is a text',
      `ALTER TABLE "teams" ADD COLUMN "assignment" "team_assignment" NOT NULL DEFAULT 'off';`,
    ],
    [
      'add a computed column',
      'alter table contacts add column "n" int not null generated always as (1) stored;',
    ],
    [
      'add a table, and change it',
      'create table "pears" ("id" int); create index on "pears"("id"); drop table "pears";',
    ],
    ['add a value', `ALTER TYPE "role" ADD VALUE 'guest';`],
    [
      'replace a constraint',
      'alter table "t" drop constraint "c"; alter table "t" add constraint "c" check (a <> 1, b is not null);',
    ],
    ['create an index concurrently', 'create index concurrently "i" on "contacts" ("city");'],
    ['drop an index', 'drop index "i";'],
    [
      'name such statements in a text',
      `comment on table contacts is '; drop table contacts;'; -- drop table contacts;`,
    ],
    [
      'name them in a function',
      'create or replace function f() returns void language sql as $$ drop table contacts; $$;',
    ],
  ])('%s', ([, sql = '']) => {
    expect(findBreaking(sql, new Set())).toEqual([]);
  });

  test('break a release only when an earlier one has stopped to use what it removes', () => {
    const drop = (comment: string) => [
      { name: '2_drop', sql: `${comment}\nalter table "contacts" drop column "city";` },
    ];
    const release = { version: '1.10.0', commit: '', lastMigration: '1_first', jobs: {} };
    expect(findProblems(drop(''), release)).toHaveLength(1);
    expect(findProblems(drop('-- Contract: unused since 1.11.0'), release)).toHaveLength(1);
    expect(findProblems(drop('-- Contract: unused since 1.9.0'), release)).toEqual([]);
    expect(findProblems(drop(''), { ...release, lastMigration: '2_drop' })).toEqual([]);
  });
});

test('a job is refused that lost its name, or needs a field that old servers do not write', () => {
  const old = { keep: ['a'], gone: ['a'], more: ['a'] };
  expect(findJobProblems(old, { keep: ['a'], more: ['a', 'b'], added: ['c'] })).toEqual([
    'gone: no worker would run it',
    'more: needs b',
  ]);
});

/** Returns what the migrations since a release do that its processes cannot live with. */
function findProblems(files: MigrationFile[], { version, lastMigration }: Released): string[] {
  const newTables = new Set<string>();
  return files
    .filter(({ name }) => name > lastMigration)
    .filter(({ sql }) => !isContract(sql, version))
    .flatMap(({ name, sql }) => findBreaking(sql, newTables).map((problem) => `${name} ${problem}`));
}

/** Returns whether a migration says that this release, or one before it, uses no longer what it removes. */
function isContract(sql: string, version: string): boolean {
  const since = /^-- Contract: unused since (\d+\.\d+\.\d+)$/m.exec(sql)?.[1];
  return since !== undefined && since.localeCompare(version, 'en', { numeric: true }) <= 0;
}

function findJobProblems(old: Released['jobs'], current: Released['jobs']): string[] {
  return Object.entries(old).flatMap(([name, fields]) => {
    const required = current[name];
    if (!required) return [`${name}: no worker would run it`];
    return required.filter((field) => !fields.includes(field)).map((field) => `${name}: needs ${field}`);
  });
}
