import { validate as isUuid } from 'uuid';
import { findByName, insertCompany, parseCompanyName } from '#server/contacts/choose-company.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

/**
 * Creates a company without domains or contacts.
 * @returns its id
 * @throws Refusal when the name is invalid or in use, or the workspace has 10,000 companies
 */
export async function createCompany(
  tx: Tx,
  input: { workspaceId: string; name: string },
): Promise<{ id: string }> {
  const { workspaceId } = input;
  const name = parseCompanyName(input.name);
  await lockWorkspace(tx, workspaceId);
  await refuseTaken(tx, { workspaceId, name });
  const { id } = await insertCompany(tx, { workspaceId, name, field: 'name' });
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
  return { id };
}

/**
 * Renames a company.
 * @throws Refusal when there is no such company, or the name is invalid or in use
 */
export async function renameCompany(
  tx: Tx,
  change: { workspaceId: string; id: string; name: string },
): Promise<void> {
  const { workspaceId, id } = change;
  const name = parseCompanyName(change.name);
  await lockWorkspace(tx, workspaceId);
  const company = await lockCompany(tx, { workspaceId, id });
  await refuseTaken(tx, { workspaceId, name, except: company.id });
  await tx.company.updateMany({ where: { workspaceId, id }, data: { name } });
  afterCommit(tx, () => publish(workspaceId, 'conversations'));
}

/** Checks the name under the workspace lock, so that the second of two simultaneous requests sees the first. */
async function refuseTaken(
  tx: Tx,
  { workspaceId, name, except }: { workspaceId: string; name: string; except?: string },
): Promise<void> {
  const other = await findByName(tx, { workspaceId, name });
  if (!other || other.id === except) return;
  throw invalid({ name: [`There is already a company called ${other.name}. Choose another name.`] });
}

/**
 * Locks a company for update. A transaction that links a contact to the company waits, then sees the company
 * as this transaction leaves it. Lock order: companies before contacts.
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
