import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findBreaking } from '#prisma/engine/breaking-statements.ts';
import { type MigrationFile, readMigrationFiles } from '#prisma/engine/migration-files.ts';
import { type Released, readReleased, requiredJobFields, requiredLiveFields } from '#prisma/released.ts';
import { projectPath } from '#server/core/project.ts';

// The processes of the last release run beside the new ones during an upgrade (CONTRIBUTING.md, Change the database).

/** These created indexes while blocking writes, or checked the rows of a small table, before the rules. */
const BEFORE_THE_RULES = [
  '20261128093728_list_conversations_by_change',
  '20261128100000_suggested_replies',
  '20261128100132_index_changes_as_the_inbox',
  '20261128102800_webhook_endpoints',
  '20261129044000_business_hours',
  '20261129045616_away',
  '20261129093151_automatic_assignment',
];

describe('the processes of the last release can live with', () => {
  test('each migration since it', async () => {
    const files = await readMigrationFiles(projectPath('prisma', 'migrations'));
    const problems = findProblems(files, await readReleased());
    expect(problems.filter((problem) => !BEFORE_THE_RULES.some((name) => problem.startsWith(name)))).toEqual(
      [],
    );
  });

  test('each job: none of theirs is unknown now, or refused for a field that they do not write', async () => {
    expect(findMissing((await readReleased()).jobs, requiredJobFields())).toEqual([]);
  });

  test('each live message: a server that is new understands all of theirs', async () => {
    expect(findMissing((await readReleased()).liveMessages, requiredLiveFields())).toEqual([]);
  });
});

test('each release has a section for operators who upgrade to it', () => {
  const [changelog, upgrades] = ['CHANGELOG.md', 'docs/upgrades.md'].map((file) =>
    readFileSync(projectPath(file), 'utf8'),
  );
  // An empty section `Unreleased` is no release.
  const headings = (changelog ?? '').matchAll(/^## \[(.+)\](?!\s+## )/gm);
  const versions = [...headings].map(([, version = '']) => version);
  expect(versions).toContain('0.1.0');
  for (const [at, version] of versions.slice(0, -1).entries()) {
    const to = version === 'Unreleased' ? 'the next release' : version;
    expect(upgrades).toContain(`\n### From ${versions[at + 1]} to ${to}\n`);
  }
});

describe('a migration is refused that', () => {
  test.for([
    ['drops a table', 'drop table "contacts";'],
    ['drops a table beside a new one', 'create table "pears" ("id" int); drop table "pears", "contacts";'],
    ['drops a function', 'drop function stems_of(text);'],
    ['drops a sequence', 'drop sequence if exists "numbers";'],
    ['drops a trigger', 'drop trigger "count" on "contacts";'],
    ['drops an attribute', 'alter type "address" drop attribute "city";'],
    ['drops a column', 'ALTER TABLE "contacts" DROP COLUMN "city";'],
    ['drops a column without saying so', 'alter table contacts drop city;'],
    ['drops a column after another action', 'alter table "contacts" add "a" int, drop column "city"'],
    ['drops a column of a table with its schema', 'ALTER TABLE "public"."contacts" DROP COLUMN "city";'],
    ['drops a column in a block', 'do $$ begin alter table contacts drop city; end $$;'],
    ['removes all rows', 'truncate "contacts";'],
    ['renames a column', 'alter table "contacts" rename column "city" to "town";'],
    ['renames a table', 'ALTER TABLE "contacts" RENAME TO "people";'],
    ['renames a function', 'alter function stems_of(text) rename to stems;'],
    ['moves a table', 'alter table "contacts" set schema "old";'],
    ['renames a value', `alter type "role" rename value 'agent' to 'teammate';`],
    ['changes a type', 'ALTER TABLE "contacts" ALTER COLUMN "city" SET DATA TYPE varchar(80);'],
    ['requires a column', 'alter table "contacts" alter column "city" set not null;'],
    ['adds a required column', 'ALTER TABLE "contacts" ADD COLUMN "town" TEXT NOT NULL;'],
    ['drops a default', 'alter table contacts alter column city drop default;'],
    ['blocks writes for an index', 'CREATE INDEX "i" ON "contacts"("city");'],
    ['blocks writes for an index without a name', 'create index on "contacts" ("city");'],
    ['blocks writes for a unique constraint', 'alter table contacts add constraint c unique (city);'],
    ['blocks writes to check each row', "alter table contacts add constraint c check (city <> '');"],
    [
      'blocks writes to look up each row',
      'alter table contacts add constraint c foreign key (team_id) references teams(id);',
    ],
    [
      'writes each row for a computed column',
      'alter table contacts add column "n" int not null generated always as (1) stored;',
    ],
    [
      'writes each row for a default that differs',
      'alter table contacts add "key" uuid not null default gen_random_uuid();',
    ],
    ['blocks a table', 'lock table "contacts";'],
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
      'add a table, and change it',
      'create table "pears" ("id" int); create index on "pears"("id"); drop table "pears";',
    ],
    ['add a value', `ALTER TYPE "role" ADD VALUE 'guest';`],
    [
      'replace a constraint',
      'alter table "t" drop constraint "c"; alter table "t" add constraint "c" check (a <> 1, b is not null) not valid;',
    ],
    ['validate a constraint', 'alter table "t" validate constraint "c";'],
    ['use a finished index for a constraint', 'alter table "t" add constraint "c" unique using index "t_c";'],
    [
      'replace a trigger',
      'drop trigger "c" on "t"; create trigger "c" after insert on "t" for each row execute function f();',
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
    const release = {
      version: '1.10.0',
      commit: '',
      lastMigration: '1_first',
      jobs: {},
      liveMessages: {},
    };
    expect(findProblems(drop(''), release)).toHaveLength(1);
    expect(findProblems(drop('-- Contract: unused since 1.11.0'), release)).toHaveLength(1);
    expect(findProblems(drop('-- Contract: unused since 1.9.0'), release)).toEqual([]);
    expect(findProblems(drop(''), { ...release, lastMigration: '2_drop' })).toEqual([]);
  });
});

test('a job or live message is refused that lost its name, or needs a field that old processes do not write', () => {
  const old = { keep: ['a'], gone: ['a'], more: ['a'] };
  expect(findMissing(old, { keep: ['a'], more: ['a', 'b'], added: ['c'] })).toEqual([
    'gone: no new process would know it',
    'more: needs b',
  ]);
});

test('the fields of a live message include those of its objects, and each topic counts', () => {
  expect(requiredLiveFields()).toMatchObject({
    draft: ['draft.authorId', 'draft.conversationId', 'draft.workspaceId'],
    'topic deliveries': ['topic', 'workspaceId'],
  });
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

/** Returns which jobs or live messages of the old processes the new ones do not know, or lack a field of. */
function findMissing(old: Record<string, string[]>, current: Record<string, string[]>): string[] {
  return Object.entries(old).flatMap(([name, fields]) => {
    const required = current[name];
    if (!required) return [`${name}: no new process would know it`];
    return required.filter((field) => !fields.includes(field)).map((field) => `${name}: needs ${field}`);
  });
}
