import { lockCompany } from '#server/contacts/name-company.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/**
 * Deletes a company: from here on no one sees it and no contact can be linked to it; its name and its domains are free.
 * Its contacts stay and have no company, a thousand of them now and the others by a job; these, too, are shown without
 * it.
 * @throws Refusal when there is no such company
 */
export async function deleteCompany(given: { workspaceId: string; id: string; by: Teammate }): Promise<void> {
  const { workspaceId, id, by } = given;
  await inTransaction(async (tx) => {
    const { name } = await lockCompany(tx, { workspaceId, id });
    await unlinkContacts(tx, { workspaceId, companyId: id });
    await tx.companyDomain.deleteMany({ where: { workspaceId, companyId: id } });
    await tx.company.updateMany({ where: { workspaceId, id }, data: { deletedAt: new Date() } });
    if (!(await dropUnlinkedCompany(tx, id))) await queueJob(tx, 'remove-company', { companyId: id });
    const data = { companyId: id, companyName: name };
    await addAuditEntry(tx, { workspaceId, kind: 'company_deleted', by, data });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
}

/** So many contacts change in one transaction, so that none holds its locks for long. */
const BATCH = 1_000;
/** For how long a job goes on before it leaves the rest to another one, in milliseconds. */
const GO_ON_FOR_MS = 10_000;

/**
 * Takes a deleted company from the contacts that it is left on, and removes it. Goes on in another job when it takes
 * long, and may run again at any time. A company that was not deleted stays as it is.
 * @param goOnForMs after so many milliseconds the rest is another job's
 */
export async function removeCompany(companyId: string, goOnForMs: number = GO_ON_FOR_MS): Promise<void> {
  const until = performance.now() + goOnForMs;
  const company = await db().company.findFirst({
    where: { id: companyId, deletedAt: { not: null } },
    select: { workspaceId: true },
  });
  if (!company) return;
  for (;;) {
    const isRemoved = await inTransaction(async (tx) => {
      await unlinkContacts(tx, { workspaceId: company.workspaceId, companyId });
      return dropUnlinkedCompany(tx, companyId);
    });
    if (isRemoved) return;
    if (performance.now() > until) break;
  }
  await inTransaction((tx) => queueJob(tx, 'remove-company', { companyId }));
}

/** Takes a company from a thousand of its contacts, which are locked in the order of their ids. */
async function unlinkContacts(
  tx: Tx,
  { workspaceId, companyId }: { workspaceId: string; companyId: string },
): Promise<void> {
  await tx.$executeRaw`
    with those as materialized (
      select id from contacts
      where id in (
          select id from contacts
          where workspace_id = ${workspaceId}::uuid and company_id = ${companyId}::uuid limit ${BATCH}::int)
        and company_id = ${companyId}::uuid
      order by id
      for no key update
    )
    update contacts c set company_id = null, updated_at = now()
    from those where c.id = those.id`;
}

/** Removes the row of a deleted company once no contact has it. Returns whether it is gone. */
async function dropUnlinkedCompany(tx: Tx, id: string): Promise<boolean> {
  const left = await tx.$queryRaw<unknown[]>`
    select 1 as one from contacts c join companies o on o.workspace_id = c.workspace_id and o.id = c.company_id
    where o.id = ${id}::uuid limit 1`;
  if (left.length > 0) return false;
  await tx.company.deleteMany({ where: { id, deletedAt: { not: null } } });
  return true;
}
