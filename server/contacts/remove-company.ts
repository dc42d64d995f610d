import { db, inTransaction, type Tx } from '#server/core/database/db.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';

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
export async function unlinkContacts(
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
export async function dropUnlinkedCompany(tx: Tx, id: string): Promise<boolean> {
  const left = await tx.$queryRaw<unknown[]>`
    select 1 as one from contacts c join companies o on o.workspace_id = c.workspace_id and o.id = c.company_id
    where o.id = ${id}::uuid limit 1`;
  if (left.length > 0) return false;
  await tx.company.deleteMany({ where: { id, deletedAt: { not: null } } });
  return true;
}
