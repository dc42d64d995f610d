import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import type { EarlierApproval } from '#server/automation/oauth/consent-view.ts';
import { ask, type ReadDb, read } from '#server/core/database/reads.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Whether a teammate approved this very request before, as after `Back`: its challenge belongs to one attempt to
 * connect (RFC 7636 §4.1). One without a challenge cannot be distinguished from a new one. Approving again stays
 * possible, as nothing obliges the platform to make each request differ; but the page says what has happened.
 */
export async function findEarlierApproval(
  db: ReadDb,
  { userId, request: { challenge } }: { userId: string; request: AuthorizeRequest },
): Promise<EarlierApproval | null> {
  if (!challenge) return null;
  const statement = Prisma.sql`
    select w.name as "workspaceName", c.exchanged_at is null as "isWaiting"
    from connections c left join workspaces w on w.id = c.workspace_id
    where c.user_id = ${userId}::uuid and c.ended_at is null and exists (
      select from authorization_codes a where a.connection_id = c.id
        and a.code_challenge = ${challenge.value} and a.challenge_method = ${challenge.method}::challenge_method)
    order by c.created_at desc limit 1`;
  return ask(
    db,
    read(statement, ([found]: (EarlierApproval | { workspaceName: null })[]) =>
      found && found.workspaceName !== null ? found : null,
    ),
  );
}
