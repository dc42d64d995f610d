import { validate as isUuid } from 'uuid';
import { db } from '#server/core/database/prisma.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { notFound } from '#server/core/errors.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** A company as programs see it. */
export type CompanyDetails = { id: string; name: string; domains: string[]; created_at: string };

type Row = { id: string; name: string; key: string; domains: string[]; createdAt: Date };

/** A company has at most `DOMAINS_MAX` domains. */
const COLUMNS = Prisma.sql`o.id, o.name, lower(o.name) as key, o.created_at as "createdAt", array(
  select domain from company_domains d where d.workspace_id = o.workspace_id and d.company_id = o.id order by domain) as domains`;

/** Returns companies by name, ignoring case, after a position. One statement along the index of names. */
export async function listCompaniesAfter(
  db: SqlDb,
  { workspaceId, after, limit }: { workspaceId: string; after: CompanyPosition | undefined; limit: number },
): Promise<{ item: CompanyDetails; position: CompanyPosition }[]> {
  const isAfter = after
    ? Prisma.sql`(lower(o.name), o.id) > (${after.key}::text, ${after.id}::uuid)`
    : Prisma.sql`true`;
  const rows = await db.$queryRaw<Row[]>`
    select ${COLUMNS} from companies o
    where o.workspace_id = ${workspaceId}::uuid and o.deleted_at is null and ${isAfter}
    order by lower(o.name), o.id limit ${limit}::int`;
  return rows.map((row) => ({ item: companyDetails(row), position: { key: row.key, id: row.id } }));
}

/** Position of a company in the list: its name in lowercase, with the id as tie-breaker. */
export type CompanyPosition = { key: string; id: string };

/** Returns a company. @throws Refusal when there is none */
export async function readCompany(
  db: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<CompanyDetails> {
  const [row] = isUuid(id)
    ? await db.$queryRaw<Row[]>`
        select ${COLUMNS} from companies o
        where o.workspace_id = ${workspaceId}::uuid and o.id = ${id}::uuid and o.deleted_at is null`
    : [];
  if (!row) throw notFound('The company');
  return companyDetails(row);
}

/** Returns whether the workspace has the company. `id` is a UUID. */
export async function companyExists({
  workspaceId,
  id,
}: {
  workspaceId: string;
  id: string;
}): Promise<boolean> {
  return (
    (await db().company.findFirst({ where: { workspaceId, id, deletedAt: null }, select: { id: true } })) !==
    null
  );
}

function companyDetails({ id, name, domains, createdAt }: Row): CompanyDetails {
  return { id, name, domains, created_at: timestamp(createdAt) };
}
