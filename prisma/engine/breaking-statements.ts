import { withoutQuoted } from '#prisma/engine/migration-files.ts';

/** Tables and columns that a release does not know: what a migration does to them cannot break it. */
export type NewTables = Set<string>;

/**
 * Returns what a migration does that the processes of the release before it cannot live with, as sentences. It reads the statements of
 * the file, not those in functions and strings. A table that the file creates is added to `newTables`.
 */
export function findBreaking(sql: string, newTables: NewTables): string[] {
  const statements = withoutQuoted(sql)
    .toLowerCase()
    .split(';')
    .map((text) => text.replaceAll(/["\s]+/g, ' ').trim());
  return statements.flatMap((statement) => {
    const created = /^create table (?:if not exists )?([\w.]+)/.exec(statement);
    if (created?.[1]) newTables.add(created[1]);
    return findInStatement(statement, newTables);
  });
}

function findInStatement(statement: string, newTables: NewTables): string[] {
  const dropped = /^drop (table|view|function|type) (?:if exists )?([\w.]+)/.exec(statement);
  if (dropped) {
    const [, kind, name = ''] = dropped;
    return newTables.has(name) ? [] : [`drops the ${kind} ${name}`];
  }
  const index = /^create (?:unique )?index (?!concurrently).*? on (?:only )?([\w.]+)/.exec(statement);
  if (index?.[1] && !newTables.has(index[1])) {
    return [
      `blocks writes to ${index[1]} while it creates an index: create it concurrently, in a migration of its own`,
    ];
  }
  if (/^alter type [\w.]+ rename/.test(statement)) return ['renames a type or one of its values'];
  const altered = /^alter table (?:if exists )?(?:only )?([\w.]+) (.*)$/.exec(statement);
  if (!altered) return [];
  const [, table = '', actions = ''] = altered;
  if (newTables.has(table)) return [];
  return splitActions(actions).flatMap((action) => {
    const breaking = BREAKING_ACTIONS.find(({ is }) => is.test(action));
    return breaking ? [`${breaking.says} ${table} (${action})`] : [];
  });
}

/** What an action of `alter table` may not do, in the order of the checks. */
const BREAKING_ACTIONS = [
  { is: /^drop (?!constraint)(?:column )?/, says: 'drops a column of' },
  { is: /^rename (?!constraint)/, says: 'renames something of' },
  { is: /^alter (?:column )?\w+ (?:set data )?type /, says: 'changes the type of a column of' },
  { is: /^alter (?:column )?\w+ set not null/, says: 'requires a value that a column did not have in' },
  { is: /^alter (?:column )?\w+ drop default/, says: 'drops a default of' },
  {
    is: /^add (?:column )?(?:if not exists )?(?!constraint|primary|unique|foreign|check|exclude)(?=.* not null)(?!.* (?:default|generated)(?: |$))/,
    says: 'adds a column that needs a value to',
  },
];

/** Splits actions at the commas outside of parentheses. */
function splitActions(actions: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const char of actions) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim());
}
