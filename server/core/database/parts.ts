import { Prisma } from '#server/generated/prisma/client.ts';

/** Condition of a part that depends on no other part. */
export const ALWAYS = Prisma.sql`true`;

/**
 * Returns one statement of several parts, all or nothing: `with a as (…), b as (…) select …`.
 * @param parts by name; null has nothing to do
 * @param last the final `select`
 */
export function statementOf(parts: Record<string, Prisma.Sql | null>, last: Prisma.Sql): Prisma.Sql {
  const named = Object.entries(parts).flatMap(([name, part]) =>
    part ? [Prisma.sql`${Prisma.raw(`"${name}"`)} as (${part})`] : [],
  );
  return named.length === 0 ? last : Prisma.sql`with ${Prisma.join(named)} ${last}`;
}

/** Names each of several statements, so that they can be parts of one. */
export function numbered(name: string, statements: Prisma.Sql[]): Record<string, Prisma.Sql> {
  return Object.fromEntries(statements.map((statement, n) => [`${name}${n}`, statement]));
}
