import { withoutQuoted } from '#prisma/engine/migration-files.ts';

/** Tables and columns that a release does not know: what a migration does to them cannot break it. */
export type NewTables = Set<string>;

/**
 * Returns what a migration does that the processes of the release before it cannot live with, as sentences: what removes something that they
 * use, and what blocks a table for as long as it is large. It reads the statements of the file, not those in functions and strings. A table
 * that the file creates is added to `newTables`.
 */
export function findBreaking(sql: string, newTables: NewTables): string[] {
  const statements = withoutQuoted(sql)
    .toLowerCase()
    .split(';')
    .map((text) =>
      text
        .replaceAll(/["\s]+/g, ' ')
        .replaceAll(/ ?\. ?/g, '.')
        .replaceAll('public.', '')
        .trim(),
    );
  return statements.flatMap((statement) => {
    const created = /^create table (?:if not exists )?([\w.]+)/.exec(statement);
    if (created?.[1]) newTables.add(created[1]);
    return findInStatement(statement, { newTables, statements });
  });
}

function findInStatement(
  statement: string,
  { newTables, statements }: { newTables: NewTables; statements: string[] },
): string[] {
  const dropped = /^drop (?!index|trigger)((?:materialized |foreign |event )?\w+) (?:if exists )?(.+)$/.exec(
    statement,
  );
  if (dropped) {
    const [, kind = '', names = ''] = dropped;
    return splitAtCommas(names)
      .map((name) => /^[\w.]+/.exec(name)?.[0] ?? name)
      .filter((name) => !newTables.has(name))
      .map((name) => `drops the ${kind} ${name}`);
  }
  const trigger = /^drop trigger (?:if exists )?(\w+) on ([\w.]+)/.exec(statement);
  if (trigger) {
    const [, name = '', table = ''] = trigger;
    const isReplaced = statements.some((each) => each.startsWith(`create trigger ${name} `));
    return isReplaced || newTables.has(table) ? [] : [`drops the trigger ${name}`];
  }
  const index = /^create (?:unique )?index (?!concurrently)(?:.*? )?on (?:only )?([\w.]+)/.exec(statement);
  if (index?.[1] && !newTables.has(index[1])) {
    return [
      `blocks writes to ${index[1]} while it creates an index: create it concurrently, in a migration of its own`,
    ];
  }
  const other = BREAKING_STATEMENTS.find(({ is }) => is.test(statement));
  if (other) return [`${other.says} (${statement})`];
  const altered = /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(statement);
  if (!altered) return [];
  const [, table = '', actions = ''] = altered;
  if (newTables.has(table)) return [];
  return splitAtCommas(actions).flatMap((action) => {
    const breaking = BREAKING_ACTIONS.find(({ is }) => is.test(action));
    return breaking ? [`${breaking.says} ${table} (${action})`] : [];
  });
}

/** Statements that the last release cannot live with, apart from `alter table`. */
const BREAKING_STATEMENTS = [
  { is: /^do\b/, says: 'runs a block, whose statements this check does not read: write them one by one' },
  { is: /^alter (?!table|index)\w.* rename /, says: 'renames something' },
  { is: /^alter type .* drop attribute /, says: 'drops an attribute' },
  { is: /^alter .* set schema /, says: 'moves something to another schema' },
  { is: /^truncate\b/, says: 'removes all rows' },
  { is: /^(?:lock|cluster|vacuum full|reindex (?!.*concurrently))\b/, says: 'blocks a table' },
];

/** What an action of `alter table` may not do, in the order of the checks. */
const BREAKING_ACTIONS = [
  { is: /^drop (?!constraint)(?:column )?/, says: 'drops a column of' },
  { is: /^rename (?!constraint)/, says: 'renames something of' },
  { is: /^alter (?:column )?\w+ (?:set data )?type /, says: 'changes the type of a column of' },
  { is: /^alter (?:column )?\w+ set not null/, says: 'requires a value that a column did not have in' },
  { is: /^alter (?:column )?\w+ drop default/, says: 'drops a default of' },
  {
    is: /^add (?:constraint \w+ )?(?:check|foreign key)\b(?!.* not valid)/,
    says: 'blocks writes while it checks every row: add the constraint as not valid to',
  },
  {
    is: /^add (?:constraint \w+ )?(?:unique|primary key|exclude)\b(?!.* using index)/,
    says: 'blocks reads and writes while it creates an index for',
  },
  {
    is: /^add (?:column )?(?:if not exists )?(?!constraint|primary|unique|foreign|check|exclude)(?=.* not null)(?!.* (?:default|generated)(?: |$))/,
    says: 'adds a column that needs a value to',
  },
  {
    is: /^add (?:column )?(?!constraint).*(?: stored| as identity|serial\b| unique\b| primary key\b| default (?:gen_random_uuid|uuidv\d|random|clock_timestamp|nextval)\()/,
    says: 'blocks reads and writes while it writes every row of',
  },
];

/** Splits a list, such as the actions of a statement, at the commas outside of parentheses. */
function splitAtCommas(list: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const char of list) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim());
}
