import { validate as isUuid } from 'uuid';
import type { Tx } from '#server/core/database/db.ts';
import { notFound } from '#server/core/errors.ts';

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
