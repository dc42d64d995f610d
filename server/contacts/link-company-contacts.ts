import { afterCommit } from '#server/core/database/after-commit.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { queueJob } from '#server/core/jobs/outbox.ts';
import { publish } from '#server/core/live/publish.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/** Contacts per transaction, so that none holds its locks for long. */
const BATCH = 1_000;

type Which = { workspaceId: string; companyId: string; domain: string };

/**
 * Links contacts without a company to the company with their email domain: a thousand now, and the rest in
 * jobs that call this again. Links no one if the company no longer has the domain.
 * @returns the number of linked contacts, and whether a job continues
 */
export async function linkContacts(which: Which): Promise<{ linked: number; continues: boolean }> {
  const { workspaceId } = which;
  return inTransaction(async (tx) => {
    const linked = await linkBatch(tx, which);
    const continues = linked === BATCH;
    if (continues) await queueJob(tx, 'link-contacts', which);
    if (linked > 0) afterCommit(tx, () => publish(workspaceId, 'conversations'));
    return { linked, continues };
  });
}

/**
 * Returns the SQL condition for contacts with an email domain and without a company, except test contacts.
 * Uses the partial index `contacts_without_company`.
 */
export function couldBeLinked(workspaceId: Prisma.Sql, domain: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`workspace_id = ${workspaceId} and split_part(email, '@', -1) = ${domain}
    and company_id is null and email is not null and not is_test`;
}

/** Locks the company, then the contacts in the order of their ids. */
async function linkBatch(tx: Tx, { workspaceId, companyId, domain }: Which): Promise<number> {
  const company = await tx.$queryRaw<unknown[]>`
    select 1 as one from company_domains d
    join companies o on o.workspace_id = d.workspace_id and o.id = d.company_id
    where d.workspace_id = ${workspaceId}::uuid and d.domain = ${domain} and o.id::text = ${companyId}
      and o.deleted_at is null
    for key share of o`;
  if (company.length === 0) return 0;
  const isUnlinked = couldBeLinked(Prisma.sql`${workspaceId}::uuid`, Prisma.sql`${domain}`);
  return tx.$executeRaw`
    with batch as materialized (
      select id from contacts
      where id in (select id from contacts where ${isUnlinked} limit ${BATCH}::int)
        and ${isUnlinked}
      order by id
      for no key update
    )
    update contacts c set company_id = ${companyId}::uuid, updated_at = now()
    from batch where c.id = batch.id`;
}
