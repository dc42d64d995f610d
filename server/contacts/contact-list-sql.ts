import type { Db } from '#server/db.ts';
import type { LogCursor } from '#server/deliveries/log-cursor.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Rows of a page. */
export const PAGE_ROWS = 50;
/** How many of the newest contacts are looked through for what is searched. */
export const LOOKED_MAX = 5_000;
/** How many companies a search takes the people of. */
const COMPANIES_MAX = 100;

/** Which contacts: after a place in the list, of a company, and with `words` (of a tsquery) or in a company named so. */
export type ContactFilter = {
  workspaceId: string;
  companyId: string | undefined;
  after: LogCursor | null;
  sought?: Sought;
};
type Sought = { words: string; text: string };

type FoundContact = {
  id: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  companyName: string | null;
  createdAt: Date;
  /** When it was created, in microseconds since 1970: its place in the list. */
  micros: string;
  /** How many contacts were looked through for it. */
  looked: number;
};

/**
 * A page of contacts and one more, newest first, in one query.
 * @param way how what is sought is found. `newest`: by looking through the newest `LOOKED_MAX` contacts, which is
 * enough for common words and may miss rare ones. `index`: by the index of words, which gathers all that have them
 * before it sorts, so that it is for rare ones.
 */
export function readContactRows(
  db: Db,
  filter: ContactFilter,
  way: 'newest' | 'index' = 'newest',
): Promise<FoundContact[]> {
  const { before, page, looked } = selected(filter, way);
  return db.$queryRaw<FoundContact[]>`
    ${before}
    select c.id, c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone, o.name as "companyName",
      c.created_at as "createdAt", (extract(epoch from c.created_at) * 1000000)::bigint::text as micros, ${looked} as looked
    from (${page} order by c.created_at desc, c.id desc limit ${PAGE_ROWS + 1}::int) c
    left join companies o on o.workspace_id = ${filter.workspaceId}::uuid and o.id = c.company_id
    order by c.created_at desc, c.id desc`;
}

type Selection = { before: Prisma.Sql; page: Prisma.Sql; looked: Prisma.Sql };

function selected({ sought, ...filter }: ContactFilter, way: 'newest' | 'index'): Selection {
  const { workspaceId } = filter;
  const listed = Prisma.sql`select c.* from contacts c where ${isListed(filter)}`;
  if (!sought) return { before: Prisma.sql``, page: listed, looked: Prisma.sql`0` };
  const named = companiesNamed(workspaceId, sought);
  const words = Prisma.sql`to_tsquery('simple', ${sought.words})`;
  if (way === 'newest') {
    return {
      before: Prisma.sql`with ${named}, newest as materialized
        (${listed} order by c.created_at desc, c.id desc limit ${LOOKED_MAX}::int)`,
      page: Prisma.sql`select * from newest c where c.search @@ ${words} or c.company_id in (select id from named)`,
      looked: Prisma.sql`(select count(*)::int from newest)`,
    };
  }
  // Gathered before it is sorted: else the planner may walk through the whole workspace in order of creation.
  return {
    before: Prisma.sql`with ${named}, found as materialized (
      select c.* from contacts c where c.search @@ (${`'w:${workspaceId}'`}::tsquery && ${words})
      union all
      select c.* from named n join contacts c on c.workspace_id = ${workspaceId}::uuid and c.company_id = n.id
      where not c.search @@ ${words})`,
    page: Prisma.sql`select * from found c where ${isListed(filter)}`,
    looked: Prisma.sql`0`,
  };
}

/** The companies whose name holds the text. */
function companiesNamed(workspaceId: string, { text }: Sought): Prisma.Sql {
  return Prisma.sql`named as materialized (select id from companies
    where workspace_id = ${workspaceId}::uuid and strpos(lower(name), lower(${text})) > 0
    limit ${COMPANIES_MAX}::int)`;
}

function isListed({ workspaceId, companyId, after }: Omit<ContactFilter, 'sought'>): Prisma.Sql {
  const conditions = [
    Prisma.sql`c.workspace_id = ${workspaceId}::uuid and not c.is_test`,
    ...(companyId === undefined ? [] : [Prisma.sql`c.company_id = ${companyId}::uuid`]),
    ...(after
      ? [
          Prisma.sql`(c.created_at, c.id) <
            (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`,
        ]
      : []),
  ];
  return Prisma.join(conditions, ' and ');
}
