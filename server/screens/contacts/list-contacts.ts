import { validate as isUuid } from 'uuid';
import { COMPANY_JOIN, contactName } from '#server/contacts/contact-record.ts';
import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { wordsQuery } from '#server/core/database/words-query.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { searchWords } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { mergedOwner } from '#server/inbox/lists/search-query.ts';
import type { ContactRow, Page } from '#server/screens/contacts/views.ts';

/**
 * Returns a page of contacts, newest first, without test contacts. One query, or two for rare words: common
 * words are found among the newest contacts, rare words by the search index.
 * @param search words of the name, (claimed) email address or phone, the last one possibly incomplete, or part of the
 * company's name; blank lists everyone
 * @param companyId only contacts of this company; any text
 * @param cursor an invalid cursor starts at the newest
 */
export async function listContacts(
  db: Db,
  query: {
    workspaceId: string;
    search?: string | undefined;
    companyId?: string | undefined;
    cursor?: string | undefined;
  },
): Promise<Page<ContactRow>> {
  const { workspaceId, search = '', companyId, cursor } = query;
  if (companyId !== undefined && !isUuid(companyId)) return NO_CONTACTS;
  const filter = { workspaceId, companyId, after: parseCursor(cursor) };
  if (search.trim() === '') return pageOf(await readContactRows(db, filter));
  const words = searchWords(search);
  if (words === null) return NO_CONTACTS;
  return pageOf(await findContacts(db, { ...filter, sought: { words, text: search.trim() } }));
}

const NO_CONTACTS: Page<ContactRow> = { rows: [], nextCursor: null };

type Found = Awaited<ReturnType<typeof readContactRows>>;

async function findContacts(db: Db, filter: ContactFilter): Promise<Found> {
  const found = await readContactRows(db, filter, 'newest');
  const [first] = found;
  const scannedAll = first !== undefined && first.scanned < SCAN_MAX;
  return scannedAll || found.length > PAGE_ROWS ? found : readContactRows(db, filter, 'index');
}

function pageOf(found: Found): Page<ContactRow> {
  const page = found.slice(0, PAGE_ROWS);
  const last = page.at(-1);
  return {
    rows: page.map(rowOf),
    nextCursor: last && found.length > PAGE_ROWS ? writeCursor(last) : null,
  };
}

function rowOf({
  id,
  email,
  claimedEmail,
  phone,
  companyName,
  createdAt,
  ...names
}: ContactFields): ContactRow {
  return {
    id,
    name: contactName(names),
    email: shownEmail(email),
    claimedEmail: shownEmail(claimedEmail),
    phone,
    companyName,
    createdAt,
  };
}

/** Maximum number of contacts with the same phone number to show. */
const SAME_PHONE_MAX = 3;

/** Returns other contacts whose phone number compares equal (docs/rulings.md 3.42), oldest first. */
export async function listSamePhone(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ContactRow[]> {
  const found = await db.$queryRaw<ContactFields[]>`
    select ${FIELDS}
    from contacts known
    join contacts k on k.workspace_id = known.workspace_id and k.phone_key = known.phone_key and k.phone_key <> ''
    ${JOIN_COMPANY}
    where known.workspace_id = ${workspaceId}::uuid and known.id = ${id}::uuid and k.id <> known.id and not k.is_test
    order by k.created_at, k.id limit ${SAME_PHONE_MAX}::int`;
  return found.map(rowOf);
}

const PAGE_ROWS = 50;
/** Number of newest contacts that a search scans. */
const SCAN_MAX = 5_000;

/**
 * Filter of the list: after a position, of a company, and with `sought` words or in a company whose name
 * contains the text.
 */
type ContactFilter = {
  workspaceId: string;
  companyId: string | undefined;
  after: LogCursor | null;
  sought?: Sought;
};
type Sought = { words: string; text: string };

type ContactFields = {
  id: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  claimedEmail: string | null;
  phone: string | null;
  companyName: string | null;
  createdAt: Date;
};

type FoundContact = ContactFields & {
  /** Creation time in µs since the epoch: the position in the list. */
  micros: string;
  /** Number of contacts that were scanned. */
  scanned: number;
};

const FIELDS = Prisma.sql`k.id, k.first_name as "firstName", k.last_name as "lastName", k.email,
  case when k.email is null then k.claimed_email end as "claimedEmail", k.phone, o.name as "companyName",
  k.created_at as "createdAt"`;
const JOIN_COMPANY = Prisma.raw(COMPANY_JOIN);
const PAGE_AND_ONE = Prisma.sql`order by c.created_at desc, c.id desc limit ${PAGE_ROWS + 1}::int`;

/**
 * Reads a page of contacts and one more, newest first, in one query.
 * @param way `newest` scans the newest `SCAN_MAX` contacts, which is enough for common words and may miss
 * rare ones. `index` uses the search index, which is unordered, so that all matches are collected and sorted.
 */
function readContactRows(
  db: Db,
  filter: ContactFilter,
  way: 'newest' | 'index' = 'newest',
): Promise<FoundContact[]> {
  const { workspaceId, sought } = filter;
  const { before, positions, scanned } = sought
    ? way === 'newest'
      ? amongNewest(filter, sought)
      : byIndex(filter, sought)
    : allContacts(filter);
  return db.$queryRaw<FoundContact[]>`
    ${before}
    select ${FIELDS}, (extract(epoch from k.created_at) * 1000000)::bigint::text as micros, ${scanned} as scanned
    from (${positions}) p
    join contacts k on k.workspace_id = ${workspaceId}::uuid and k.id = p.id
    ${JOIN_COMPANY}
    order by k.created_at desc, k.id desc`;
}

/** SQL of the ids of a page (`positions`), of the CTEs before it, and of the number of scanned contacts. */
type Selection = { before: Prisma.Sql; positions: Prisma.Sql; scanned: Prisma.Sql };

function allContacts(filter: ContactFilter): Selection {
  return {
    before: Prisma.sql``,
    positions: Prisma.sql`select c.id from contacts c where ${isOf(filter)} and ${isListed(filter)} ${PAGE_AND_ONE}`,
    scanned: Prisma.sql`0`,
  };
}

function amongNewest(filter: ContactFilter, sought: Sought): Selection {
  return {
    before: Prisma.sql`with ${companiesNamed(filter, sought)}, newest as materialized (
      select c.id, c.created_at, c.company_id, c.search from contacts c where ${isOf(filter)} and ${isListed(filter)}
      order by c.created_at desc, c.id desc limit ${SCAN_MAX}::int)`,
    positions: Prisma.sql`select c.id from newest c
      where c.search @@ ${wordsQuery(sought.words)} or c.company_id in (select id from named) ${isMergedOwner(filter, sought)} ${PAGE_AND_ONE}`,
    scanned: Prisma.sql`(select count(*)::int from newest)`,
  };
}

function byIndex(filter: ContactFilter, sought: Sought): Selection {
  // The workspace is part of the text query as a word with a colon, which no other word has. A condition on
  // its column would make the planner scan all contacts of the workspace in order, hoping to meet the words
  // early.
  const words = Prisma.sql`(${`'w:${filter.workspaceId}'`}::tsquery && ${wordsQuery(sought.words)})`;
  return {
    before: Prisma.sql`with ${companiesNamed(filter, sought)},
      by_words as (select c.id, c.created_at from contacts c where c.search @@ ${words} and ${isListed(filter)} ${PAGE_AND_ONE}),
      by_company as (select p.* from named n cross join lateral (
        select c.id, c.created_at from contacts c
        where ${isOf(filter)} and c.company_id = n.id and ${isListed(filter)} ${PAGE_AND_ONE}) p),
      by_address as (select c.id, c.created_at from contacts c
        where ${isOf(filter)} and ${isListed(filter)} and (false ${isMergedOwner(filter, sought)}))`,
    positions: Prisma.sql`select c.id from (
      select * from by_words union select * from by_company union select * from by_address) c ${PAGE_AND_ONE}`,
    scanned: Prisma.sql`0`,
  };
}

/** Returns SQL that also accepts the contact that has the searched address by a merge. Empty for another text. */
function isMergedOwner({ workspaceId }: ContactFilter, { text }: Sought): Prisma.Sql {
  const owner = mergedOwner({ workspaceId, search: text });
  return owner ? Prisma.sql`or c.id = ${owner}` : Prisma.empty;
}

/** Returns a CTE of the companies whose name contains the text. */
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
