import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hasChecksum, isAtomic } from '#prisma/engine/migration-files.ts';
import { compareMigrations } from '#prisma/engine/migration-state.ts';

const checksum = (text: string) => createHash('sha256').update(text).digest('hex');
const applied = (name: string, sql: string, finished = true) => ({ name, checksum: checksum(sql), finished });

describe('a database compared with the folder of migrations', () => {
  const files = [
    { name: '1_a', sql: 'a' },
    { name: '2_b', sql: 'b' },
  ];

  it('lists migrations that were never applied', () => {
    expect(compareMigrations(files, [applied('1_a', 'a')]).pending).toEqual(['2_b']);
  });

  it('is up to date when all files are applied unchanged', () => {
    const state = compareMigrations(files, [applied('1_a', 'a'), applied('2_b', 'b')]);
    expect(state).toEqual({ pending: [], failed: [], edited: [], unknown: [] });
  });

  it('lists a file that was edited after it was applied', () => {
    expect(compareMigrations(files, [applied('1_a', 'before')]).edited).toEqual(['1_a']);
  });

  it('lists an interrupted migration, whose file may be corrected', () => {
    const state = compareMigrations(files, [applied('1_a', 'before', false)]);
    expect(state).toMatchObject({ failed: ['1_a'], edited: [], pending: ['2_b'] });
  });

  it('lists migrations of a newer version', () => {
    expect(compareMigrations(files, [applied('3_c', 'c')]).unknown).toEqual(['3_c']);
  });
});

it('does not count other line endings as an edit', () => {
  expect(hasChecksum('a;\r\nb;\r\n', checksum('a;\nb;\n'))).toBe(true);
  expect(hasChecksum('a;\nb;\n', checksum('a;\r\nb;\r\n'))).toBe(true);
});

describe('an interrupted migration', () => {
  it.each([
    'create table a (id int); alter table a add b text',
    "create table a (note text default 'begin; commit;')",
    'create function f() returns int language plpgsql as $$ begin return 1; end $$;',
    '-- create index concurrently\ncreate index i on a (id);',
  ])('left nothing behind when it was %j', (sql) => {
    expect(isAtomic(sql)).toBe(true);
  });

  it.each(['create index concurrently i on a (id)', 'begin; create table a (id int); commit;', 'vacuum a'])(
    'may have left something behind when it was %j',
    (sql) => {
      expect(isAtomic(sql)).toBe(false);
    },
  );
});
