import { Prisma } from '#server/generated/prisma/client.ts';

/** For a part of a statement that depends on no other part. */
export const ALWAYS = Prisma.sql`true`;

/**
 * A statement of several parts, which are done all or none: `with a as (…), b as (…) select …`.
 * @param parts by their names; those that are null have nothing to do
 * @param last what it answers
 */
export function statementOf(parts: Record<string, Prisma.Sql | null>, last: Prisma.Sql): Prisma.Sql {
  const named = Object.entries(parts).flatMap(([name, part]) =>
    part ? [Prisma.sql`${Prisma.raw(`"${name}"`)} as (${part})`] : [],
  );
  return named.length === 0 ? last : Prisma.sql`with ${Prisma.join(named)} ${last}`;
}
