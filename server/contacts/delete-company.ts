import { lockCompany } from '#server/contacts/name-company.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';

/**
 * Deletes a company. It disappears immediately, no contact can be linked to it, and its name and domains are
 * free. A thousand contacts are unlinked now and a job unlinks the rest; those show no company either.
 * @throws Refusal when there is no such company
 */
export async function deleteCompany(which: { workspaceId: string; id: string; by: Teammate }): Promise<void> {
  const { workspaceId, id, by } = which;
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

/** Contacts per transaction, so that none holds its locks for long. */
const BATCH = 1_000;
/** Time limit of one job in ms; another job continues after that. */
const TIME_LIMIT_MS = 10_000;

/**
 * Unlinks the remaining contacts of a deleted company, then removes the company. Continues in another job
 * after the time limit, and can run again at any time. Leaves a company that was not deleted unchanged.
 */
export async function removeCompany(companyId: string, timeLimitMs: number = TIME_LIMIT_MS): Promise<void> {
  const until = performance.now() + timeLimitMs;
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

/** Unlinks up to a thousand contacts, locked in the order of their ids. */
async function unlinkContacts(
  tx: Tx,
  { workspaceId, companyId }: { workspaceId: string; companyId: string },
): Promise<void> {
  await tx.$executeRaw`
    with batch as materialized (
      select id from contacts
      where id in (
          select id from contacts
          where workspace_id = ${workspaceId}::uuid and company_id = ${companyId}::uuid limit ${BATCH}::int)
        and company_id = ${companyId}::uuid
      order by id
      for no key update
    )
    update contacts c set company_id = null, updated_at = now()
    from batch where c.id = batch.id`;
}

/** Deletes the row of a deleted company once no contact refers to it. Returns whether the row is gone. */
async function dropUnlinkedCompany(tx: Tx, id: string): Promise<boolean> {
  const left = await tx.$queryRaw<unknown[]>`
    select 1 as one from contacts c join companies o on o.workspace_id = c.workspace_id and o.id = c.company_id
    where o.id = ${id}::uuid limit 1`;
  if (left.length > 0) return false;
  await tx.company.deleteMany({ where: { id, deletedAt: { not: null } } });
  return true;
}
