import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { db } from '#server/core/database/db.ts';
import { prepared } from '#server/core/database/prepared.ts';
import { digest, newSecret } from '#server/core/secrets.ts';

/** How long a consent page may stay open before it must be loaded again, in seconds. */
const CONSENT_FORM_SECONDS = 3600;

type Binding = { userId: string; request: AuthorizeRequest };

/**
 * Binds a consent page to the signed-in teammate, the exact request and the workspace open when it was loaded.
 * @returns the secret that the page posts back; only its digest is stored
 */
export async function issueConsentForm({
  userId,
  request,
  workspaceId,
}: Binding & { workspaceId: string }): Promise<string> {
  const secret = newSecret();
  await prepared().$executeRaw`
    insert into consent_forms (token_hash, user_id, workspace_id, request_hash, expires_at)
    values (${digest(secret)}, ${userId}::uuid, ${workspaceId}::uuid, ${requestHash(request)},
      now() + make_interval(secs => ${CONSENT_FORM_SECONDS}))`;
  return secret;
}

/**
 * Spends a consent page, by one conditional statement: of any number of posts of one page exactly one succeeds.
 * @returns the workspace that was open at its load, or null when the page is unknown, used, too old, or was made
 *   for another teammate or request
 */
export async function spendConsentForm(secret: string, binding: Binding): Promise<string | null> {
  const used = await db().$queryRaw<{ workspace_id: string }[]>`
    update consent_forms set used_at = now()
    where token_hash = ${digest(secret)} and user_id = ${binding.userId}::uuid
      and request_hash = ${requestHash(binding.request)} and used_at is null and expires_at > now()
    returning workspace_id`;
  return used[0]?.workspace_id ?? null;
}

function requestHash({ state, challenge }: AuthorizeRequest): Uint8Array<ArrayBuffer> {
  return digest(JSON.stringify([state ?? null, challenge?.value ?? null, challenge?.method ?? null]));
}
