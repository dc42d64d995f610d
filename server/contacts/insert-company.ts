import type { Tx } from '#server/core/database/db.ts';
import { invalid } from '#server/core/errors.ts';

/** Companies of a workspace. */
export const COMPANIES_MAX = 10_000;

type Company = { id: string; name: string };

/** The company of a name, in upper or lower case, or undefined; it stays until the transaction ends. */
export async function findByName(
  tx: Tx,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<Company | undefined> {
  const [company] = await tx.$queryRaw<Company[]>`
    select id, name from companies
    where workspace_id = ${workspaceId}::uuid and lower(name) = lower(${name}) and deleted_at is null
    order by created_at, id limit 1 for key share`;
  return company;
}

/**
 * Writes a new company. The caller holds the workspace's lock and has found none of this name.
 * @param field what the sentence is under when there are too many
 * @throws Refusal when the workspace has 10,000 companies
 */
export async function insertCompany(
  tx: Tx,
  { workspaceId, name, field }: { workspaceId: string; name: string; field: string },
): Promise<Company> {
  if ((await tx.company.count({ where: { workspaceId, deletedAt: null } })) >= COMPANIES_MAX) {
    const most = COMPANIES_MAX.toLocaleString('en');
    throw invalid({ [field]: [`A workspace can have up to ${most} companies. Delete one first.`] });
  }
  return tx.company.create({ data: { workspaceId, name }, select: { id: true, name: true } });
}
