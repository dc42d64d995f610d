import { validate as isUuid } from 'uuid';
import type { Db } from '#server/core/database/prisma.ts';
import { asciiEmail, shownEmail } from '#server/core/email-domain.ts';
import { COUNTED_MAX, shown } from '#server/core/shown-count.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { CompanyChoices, CompanyRow, Page } from '#server/screens/contacts/views.ts';

const COMPANY_PAGE_ROWS = 50;
/** Domains per row. */
const DOMAINS_SHOWN = 3;

type Found = Omit<CompanyRow, 'contacts'> & { contacts: number; key: string };

/**
 * Returns a page of companies by name, ignoring case, each with its number of contacts up to 999. One query
 * along the index of names.
 * @param search part of the name or of a domain; blank lists all
 * @param cursor an invalid cursor starts at the first company
 */
export async function listCompanies(
  db: Db,
  query: { workspaceId: string; search?: string | undefined; cursor?: string | undefined },
): Promise<Page<CompanyRow>> {
  const { workspaceId, cursor } = query;
  const search = (query.search ?? '').trim().toLowerCase().replaceAll('\0', '');
  const after = parseCursor(cursor);
  const found = await db.$queryRaw<Found[]>`
    select p.id, p.name, p.key, d.domains, d.count as "domainsCount", counted.contacts
    from (
      select o.id, o.name, lower(o.name) as key from companies o
      where o.workspace_id = ${workspaceId}::uuid and o.deleted_at is null
        ${after ? Prisma.sql`and (lower(o.name), o.id) > (${after.key}, ${after.id}::uuid)` : Prisma.empty}
        ${search === '' ? Prisma.empty : matches(workspaceId, search)}
      order by lower(o.name), o.id limit ${COMPANY_PAGE_ROWS + 1}::int
    ) p
    cross join lateral (
      select coalesce((array_agg(domain order by domain))[:${DOMAINS_SHOWN}::int], '{}') as domains, count(*)::int
      from company_domains where workspace_id = ${workspaceId}::uuid and company_id = p.id
    ) d
    cross join lateral (${countContacts(workspaceId, Prisma.sql`p.id`)}) counted
    order by p.key, p.id`;
  const page = found.slice(0, COMPANY_PAGE_ROWS);
  const last = page.at(-1);
  return {
    rows: page.map(({ key: _key, contacts, domains, ...row }) => ({
      ...row,
      domains: domains.map(shownEmail),
      contacts: shown(contacts),
    })),
    nextCursor: last && found.length > COMPANY_PAGE_ROWS ? `${last.id} ${last.key}` : null,
  };
}

/** Returns SQL that counts the contacts of a company, up to one above the displayed maximum. */
export function countContacts(workspaceId: string, companyId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    select count(*)::int as contacts from (
      select from contacts c
      where c.workspace_id = ${workspaceId}::uuid and c.company_id = ${companyId} and not c.is_test
      limit ${COUNTED_MAX + 1}::int) counted_contacts`;
}

function matches(workspaceId: string, search: string): Prisma.Sql {
  return Prisma.sql`and (strpos(lower(o.name), ${search}) > 0 or exists (
    select from company_domains s
    where s.workspace_id = ${workspaceId}::uuid and s.company_id = o.id and strpos(s.domain, ${asciiEmail(search)}) > 0))`;
}

const CURSOR = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([^\0]{1,1000})$/s;

function parseCursor(text: string | undefined): { id: string; key: string } | null {
  const [, id, key] = CURSOR.exec(text ?? '') ?? [];
  return id === undefined || key === undefined ? null : { id, key };
}

/** Maximum number of companies in the select. The others are chosen by typing their name. */
const CHOICES_MAX = 200;

/** Returns the companies that a contact can be linked to, by name. */
export async function listCompanyChoices(db: Db, workspaceId: string): Promise<CompanyChoices> {
  const rows = await db.$queryRaw<CompanyChoices['rows']>`
    select id, name from companies where workspace_id = ${workspaceId}::uuid and deleted_at is null
    order by lower(name), id limit ${CHOICES_MAX + 1}::int`;
  return { rows: rows.slice(0, CHOICES_MAX), areAll: rows.length <= CHOICES_MAX };
}

/** Returns a company, or null. `id` is any text. */
export async function findCompany(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; name: string } | null> {
  if (!isUuid(id)) return null;
  const where = { workspaceId, id, deletedAt: null };
  return db.company.findFirst({ where, select: { id: true, name: true } });
}
