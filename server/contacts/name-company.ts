import { validate as isUuid } from 'uuid';
import { findByName, insertCompany, parseCompanyName } from '#server/contacts/choose-company.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/**
 * Makes a company, which has no domain and no contact yet.
 * @returns its id
 * @throws Refusal when the name is not possible or taken, or the workspace has 10,000 companies
 */
export async function createCompany(given: { workspaceId: string; name: string }): Promise<{ id: string }> {
  const { workspaceId } = given;
  const name = parseCompanyName(given.name);
  return inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await refuseTaken(tx, { workspaceId, name });
    const { id } = await insertCompany(tx, { workspaceId, name, field: 'name' });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return { id };
  });
}

/**
 * Gives a company another name.
 * @throws Refusal when there is no such company, or the name is not possible or another one's
 */
export async function renameCompany(given: { workspaceId: string; id: string; name: string }): Promise<void> {
  const { workspaceId, id } = given;
  const name = parseCompanyName(given.name);
  await inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await lockCompany(tx, { workspaceId, id });
    await refuseTaken(tx, { workspaceId, name, except: id });
    await tx.company.updateMany({ where: { workspaceId, id }, data: { name } });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** Names are looked up while the workspace is locked, so that of two at once one finds the other. */
async function refuseTaken(
  tx: Tx,
  { workspaceId, name, except }: { workspaceId: string; name: string; except?: string },
): Promise<void> {
  const other = await findByName(tx, { workspaceId, name });
  if (!other || other.id === except) return;
  throw invalid({ name: [`There is already a company called ${other.name}. Choose another name.`] });
}

/**
 * A company of a workspace, locked against everything, so that a transaction that links a contact to it waits, and then
 * finds it as this transaction leaves it. Companies are locked before contacts.
 * @throws Refusal when the workspace has no such company
 */
export async function lockCompany(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; name: string }> {
  const [company] = isUuid(id)
    ? await tx.$queryRaw<{ id: string; name: string }[]>`
        select id, name from companies
        where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and deleted_at is null
        for update`
    : [];
  if (!company) throw notFound('The company');
  return company;
}
