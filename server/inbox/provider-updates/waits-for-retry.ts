import { sql } from '#server/core/database/sql.ts';

/**
 * Returns whether an update of the account has failed and will be retried. Later updates may need what it receives. An update
 * that itself waits for another one (`NotYet`) has no error and does not count.
 */
export async function waitsForRetry(accountId: string): Promise<boolean> {
  const found = await sql().$queryRaw<unknown[]>`
    select 1 from inbound_updates
    where account_id = ${accountId}::uuid and processed_at is null and attempts > 0 and error is not null limit 1`;
  return found.length > 0;
}
