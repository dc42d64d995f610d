import { validate as isUuid } from 'uuid';
import { contactName } from '#server/contacts/contact-record.ts';
import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ContactRow, Page } from '#server/screens/contacts/views.ts';

/**
 * A page of a workspace's contacts, newest first; those from testing the AI agent are left out. One query, or two when
 * what is searched for is rare: common words are found among the newest contacts, rare ones by the index of words.
 * @param search words of the name, email address or phone, the last of which may be unfinished, or a part of the
 * company's name; blank: everyone
 * @param companyId only the people of this company; any text, as one that is no UUID is no one's
 * @param cursor where the page before ended; one that was never given out begins at the newest
 */
export async function listContacts(
  db: Db,
  given: {
    workspaceId: string;
    search?: string | undefined;
    companyId?: string | undefined;
    cursor?: string | undefined;
  },
): Promise<Page<ContactRow>> {
  const { workspaceId, search = '', companyId, cursor } = given;
  if (companyId !== undefined && !isUuid(companyId)) return NOBODY;
  const filter = { workspaceId, companyId, after: parseCursor(cursor) };
  if (search.trim() === '') return pageOf(await readContactRows(db, filter));
  const words = searchWords(search);
  if (words === null) return NOBODY;
  return pageOf(await findContacts(db, { ...filter, sought: { words, text: search.trim() } }));
}

const NOBODY: Page<ContactRow> = { rows: [], nextCursor: null };

type Found = Awaited<ReturnType<typeof readContactRows>>;

async function findContacts(db: Db, filter: ContactFilter): Promise<Found> {
  const among = await readContactRows(db, filter, 'newest');
  const [first] = among;
  const wereAll = first !== undefined && first.looked < LOOKED_MAX;
  return wereAll || among.length > PAGE_ROWS ? among : readContactRows(db, filter, 'index');
}

function pageOf(found: Found): Page<ContactRow> {
  const page = found.slice(0, PAGE_ROWS);
  const last = page.at(-1);
  return {
    rows: page.map(({ id, email, phone, companyName, createdAt, ...names }) => ({
      id,
      name: contactName(names),
      email,
      phone,
      companyName,
      createdAt,
    })),
    nextCursor: last && found.length > PAGE_ROWS ? writeCursor(last) : null,
  };
}

/** Rows of a page. */
const PAGE_ROWS = 50;
/** How many of the newest contacts are looked through for what is searched. */
const LOOKED_MAX = 5_000;

/**
 * Which contacts: after a place in the list, of a company, and with `words` (of a tsquery) or in a company named so.
 */
type ContactFilter = {
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

const PAGE_AND_ONE = Prisma.sql`order by c.created_at desc, c.id desc limit ${PAGE_ROWS + 1}::int`;

/**
 * A page of contacts and one more, newest first, in one query.
 * @param way how what is sought is found. `newest`: by looking through the newest `LOOKED_MAX` contacts, which is
 * enough for common words and may miss rare ones. `index`: by the index of words, which knows no order, so that all who
 * have them are gathered and sorted.
 */
function readContactRows(
  db: Db,
  filter: ContactFilter,
  way: 'newest' | 'index' = 'newest',
): Promise<FoundContact[]> {
  const { workspaceId, sought } = filter;
  const { before, places, looked } = sought
    ? way === 'newest'
      ? amongNewest(filter, sought)
      : byIndex(filter, sought)
    : everybody(filter);
  return db.$queryRaw<FoundContact[]>`
    ${before}
    select c.id, c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone, o.name as "companyName",
      c.created_at as "createdAt", (extract(epoch from c.created_at) * 1000000)::bigint::text as micros, ${looked} as looked
    from (${places}) p
    join contacts c on c.workspace_id = ${workspaceId}::uuid and c.id = p.id
    left join companies o on o.workspace_id = ${workspaceId}::uuid and o.id = c.company_id
      and o.deleted_at is null
    order by c.created_at desc, c.id desc`;
}

/** SQL of the ids of a page (`places`), of what is before it, and of how many contacts it looked through. */
type Selection = { before: Prisma.Sql; places: Prisma.Sql; looked: Prisma.Sql };

function everybody(filter: ContactFilter): Selection {
  return {
    before: Prisma.sql``,
    places: Prisma.sql`select c.id from contacts c where ${isOf(filter)} and ${isListed(filter)} ${PAGE_AND_ONE}`,
    looked: Prisma.sql`0`,
  };
}

function amongNewest(filter: ContactFilter, sought: Sought): Selection {
  return {
    before: Prisma.sql`with ${companiesNamed(filter, sought)}, newest as materialized (
      select c.id, c.created_at, c.company_id, c.search from contacts c where ${isOf(filter)} and ${isListed(filter)}
      order by c.created_at desc, c.id desc limit ${LOOKED_MAX}::int)`,
    places: Prisma.sql`select c.id from newest c
      where c.search @@ ${wordsOf(sought)} or c.company_id in (select id from named) ${PAGE_AND_ONE}`,
    looked: Prisma.sql`(select count(*)::int from newest)`,
  };
}

function byIndex(filter: ContactFilter, sought: Sought): Selection {
  // The workspace is one more word (no other has a colon). It is not asked for by its column, as the planner would then
  // rather walk through all its contacts in order, in the hope to meet the words soon.
  const words = Prisma.sql`(${`'w:${filter.workspaceId}'`}::tsquery && ${wordsOf(sought)})`;
  return {
    before: Prisma.sql`with ${companiesNamed(filter, sought)},
      by_words as (select c.id, c.created_at from contacts c where c.search @@ ${words} and ${isListed(filter)} ${PAGE_AND_ONE}),
      by_company as (select p.* from named n cross join lateral (
        select c.id, c.created_at from contacts c
        where ${isOf(filter)} and c.company_id = n.id and ${isListed(filter)} ${PAGE_AND_ONE}) p)`,
    places: Prisma.sql`select c.id from (select * from by_words union select * from by_company) c ${PAGE_AND_ONE}`,
    looked: Prisma.sql`0`,
  };
}

function wordsOf({ words }: Sought): Prisma.Sql {
  return Prisma.sql`to_tsquery('simple', ${words})`;
}

/** The companies whose name holds the text. */
function companiesNamed({ workspaceId }: ContactFilter, { text }: Sought): Prisma.Sql {
  return Prisma.sql`named as materialized (select id from companies
    where workspace_id = ${workspaceId}::uuid and deleted_at is null and strpos(lower(name), lower(${text})) > 0)`;
}

function isOf({ workspaceId }: ContactFilter): Prisma.Sql {
  return Prisma.sql`c.workspace_id = ${workspaceId}::uuid`;
}

function isListed({ companyId, after }: ContactFilter): Prisma.Sql {
  const conditions = [
    Prisma.sql`not c.is_test`,
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
