#!/usr/bin/env bash
# Subject:     the plan that PostgreSQL keeps for a prepared statement with `unnest` of an array parameter
# Versions:    PostgreSQL 18.7 in @electric-sql/pglite 0.5.17; the same with PostgreSQL 18.4 and pg 8.23.1
# Expectation: a statement with a stable name is planned five times, then its plan is kept.
# Behaviour:   with arrays of one element it is planned at each execution: a known array of one is estimated as one row and an unknown one as
#              ten, so a plan without the value always looks dearer. Whether larger arrays came among the first five executions of a
#              connection decides for all later ones. `unnest((select $1))` hides the value, and the plan is kept.
# Seen on 30 November 2026 (planned / kept of nine executions):
#              one element: 9 / 0
#              twelve elements: 5 / 4
#              one element, selected: 5 / 4
set -eu
script=$(realpath "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > npm.log
npm install --save-exact --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.17 >> npm.log
cat > plans.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';

const db = await PGlite.create();
await db.exec(`
  create table tokens as select sha256(n::text::bytea) as hash, n as owner from generate_series(1, 1000) n;
  create unique index on tokens (hash);
  analyze tokens;`);
const statements = {
  'one element': ['$1', 1],
  'twelve elements': ['$1', 12],
  'one element, selected': ['(select $1)', 1],
};
for (const [name, [array, elements]] of Object.entries(statements)) {
  const list = Array.from({ length: elements }, (_, n) => `sha256('${n + 1}'::bytea)`).join();
  await db.exec(`prepare find (bytea[]) as select t.owner from unnest(${array}) asked (hash)
    cross join lateral (select owner from tokens where tokens.hash = asked.hash limit 1) t`);
  for (let n = 0; n < 9; n += 1) await db.exec(`execute find (array[${list}])`);
  const { rows } = await db.query('select custom_plans, generic_plans from pg_prepared_statements');
  console.log(`${name}: ${rows[0].custom_plans} / ${rows[0].generic_plans}`);
  await db.exec('deallocate find');
}
console.error((await db.query('select version()')).rows[0].version);
JS
node plans.mjs 2> version | tee seen
[ "$(cat seen)" = "$(sed -n 's/^#              \(one element\|twelve elements\|one element, selected\): /\1: /p' "$script")" ] ||
  { echo 'The behaviour has changed.' >&2; exit 1; }
