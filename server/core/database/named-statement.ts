import { Prisma } from '#server/generated/prisma/client.ts';

/** So many texts get a name: each is kept by every connection. Texts made from lists of any length are the others. */
const NAMES_MAX = 500;

const shared = globalThis as typeof globalThis & { serviceStatements?: Map<string, string> };

/**
 * A statement of a template as `pg` takes it, with a name by which a connection prepares its text once.
 * @param first a template's strings, or a statement made of several
 */
export function namedStatement(first: TemplateStringsArray | Prisma.Sql, values: unknown[]) {
  const { text, values: all } = first instanceof Prisma.Sql ? first : Prisma.sql(first, ...values);
  const name = nameOf(text);
  return { ...(name === undefined ? {} : { name }), text, values: all };
}

function nameOf(text: string): string | undefined {
  shared.serviceStatements ??= new Map();
  const names = shared.serviceStatements;
  const known = names.get(text);
  if (known !== undefined || names.size >= NAMES_MAX) return known;
  const name = `tx-${names.size + 1}`;
  names.set(text, name);
  return name;
}
