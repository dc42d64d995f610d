import { lockCompany } from '#server/contacts/lock-company.ts';
import { dropUnlinkedCompany, unlinkContacts } from '#server/contacts/remove-company.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit, inTransaction } from '#server/core/database/db.ts';
import { queueJob } from '#server/core/jobs/queue-job.ts';
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
