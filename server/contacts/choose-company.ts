import { validate as isUuid } from 'uuid';
import { findByName, insertCompany } from '#server/contacts/insert-company.ts';
import type { Tx } from '#server/core/database/db.ts';
import { invalid } from '#server/core/errors.ts';
import { lockWorkspace } from '#server/teammates/lock-workspace.ts';

export type Company = { id: string; name: string };

/** One of the workspace's companies, one by its name (which may be new), or none. */
export type CompanyChoice = { id: string } | { name: string } | null;

/**
 * The company that a teammate chose for a contact. A name that no company has, in upper or lower case, makes one;
 * two teammates at once make one, as both lock the workspace before they look.
 * @param choice `name`: trimmed and not empty; undefined: nothing was chosen, which asks nothing
 * @throws Refusal when the workspace has no company of the id
 */
export async function chooseCompany(
  tx: Tx,
  { workspaceId, choice }: { workspaceId: string; choice: CompanyChoice | undefined },
): Promise<Company | null | undefined> {
  if (choice === undefined || choice === null) return choice;
  return 'id' in choice
    ? findCompany(tx, { workspaceId, id: choice.id })
    : findOrMakeCompany(tx, { workspaceId, name: choice.name });
}

/** Stays until the transaction ends, so that the contact can be linked to it. */
async function findCompany(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Company> {
  const [company] = isUuid(id)
    ? await tx.$queryRaw<Company[]>`
        select id, name from companies
        where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and deleted_at is null
        for key share`
    : [];
  if (!company) throw invalid({ company: ['This company was deleted. Choose another one.'] });
  return company;
}

async function findOrMakeCompany(
  tx: Tx,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<Company> {
  await lockWorkspace(tx, workspaceId);
  const known = await findByName(tx, { workspaceId, name });
  return known ?? insertCompany(tx, { workspaceId, name, field: 'companyName' });
}
