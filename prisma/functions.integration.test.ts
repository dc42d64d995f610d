import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { pool } from '#server/core/database/pools.ts';
import { projectPath } from '#server/core/project.ts';
import { test } from '#test/fixtures/service-test.ts';

/** Selects the functions of our migrations, each with its triggers, as PostgreSQL prints them. */
const STATEMENT = `
  select p.proname as name, pg_get_functiondef(p.oid) || ';' || coalesce((
    select e'\\n' || string_agg(e'\\n' || pg_get_triggerdef(t.oid, true) || ';', '' order by t.tgrelid::regclass::text, t.tgname)
    from pg_trigger t where t.tgfoid = p.oid and not t.tgisinternal and t.tgparentid = 0), '') as text
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname`;

test('the files in prisma/functions contain the functions and triggers of a migrated database', async ({
  service: _,
}) => {
  const { rows } = await pool().query<{ name: string; text: string }>(STATEMENT);
  for (const { name, text } of rows) {
    await expect(`${text.replaceAll(/[ \t]+$/gm, '').trim()}\n`).toMatchFileSnapshot(`functions/${name}.sql`);
  }
  const files = readdirSync(projectPath('prisma', 'functions')).filter((file) => file.endsWith('.sql'));
  expect(files.sort()).toEqual(rows.map(({ name }) => `${name}.sql`).sort());
});
