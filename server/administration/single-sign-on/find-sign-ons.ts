import { parseEmail } from '#server/contract/parse-email.ts';
import { sql } from '#server/core/database/sql.ts';
import { SIGN_ON_START_PATH } from '#server/teammates/sign-on-paths.ts';

/** A workspace to which people of a domain sign in through its provider. */
export type SignOnChoice = { workspaceName: string; path: string };

/** Two workspaces of a company may share a domain. More are not listed. */
const CHOICES_MAX = 5;

/**
 * Returns the workspaces with single sign-on for the domain of an address. The result depends on the domain only, so that it does not
 * reveal whether the address has an account.
 * @param email any text
 * @param workspaceId only this workspace
 */
export async function findSignOns(email: string, workspaceId: string | null = null): Promise<SignOnChoice[]> {
  const domain = parseEmail(email.trim())?.split('@').at(-1);
  if (domain === undefined) return [];
  const rows = await sql().$queryRaw<{ id: string; name: string }[]>`
    select w.id, w.name from sign_on_domains d
    join single_sign_ons c on c.workspace_id = d.workspace_id
    join workspaces w on w.id = c.workspace_id and w.deleted_at is null
    where d.domain = ${domain} and d.verified_at is not null and c.tested_at is not null
      and (${workspaceId}::uuid is null or w.id = ${workspaceId}::uuid)
    order by w.name, w.id limit ${CHOICES_MAX}`;
  return rows.map(({ id, name }) => ({ workspaceName: name, path: SIGN_ON_START_PATH + id }));
}
