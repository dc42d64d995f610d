import type { AuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import { sql } from '#server/core/database/sql.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { percentDecoded } from '#server/core/text.ts';

/** Time for which a loaded consent page stays valid, in seconds. */
const CONSENT_FORM_SECONDS = 3600;

type Binding = { userId: string; request: AuthorizeRequest };

/**
 * Binds a consent page to the signed-in teammate, the exact request and the workspace open at load.
 * @returns the secret that the page posts back; only its digest is stored
 */
export async function issueConsentForm({
  userId,
  request,
  workspaceId,
}: Binding & { workspaceId: string }): Promise<string> {
  const secret = newSecret();
  await sql().$executeRaw`
    insert into consent_forms (token_hash, user_id, workspace_id, request_hash, expires_at)
    values (${digest(secret)}, ${userId}::uuid, ${workspaceId}::uuid, ${requestHash(request)},
      now() + make_interval(secs => ${CONSENT_FORM_SECONDS}))`;
  return secret;
}

/**
 * Spends a consent page with one conditional statement: exactly one of any number of concurrent posts
 * succeeds.
 * @returns the workspace that was open at load, or null when the page is unknown, used, expired, or bound to
 *     another teammate or request
 */
export async function spendConsentForm(secret: string, binding: Binding): Promise<string | null> {
  const used = await sql().$queryRaw<{ workspace_id: string }[]>`
    update consent_forms set used_at = now()
    where token_hash = ${digest(secret)} and user_id = ${binding.userId}::uuid
      and request_hash = ${requestHash(binding.request)} and used_at is null and expires_at > now()
    returning workspace_id`;
  return used[0]?.workspace_id ?? null;
}

function requestHash({ state, challenge }: AuthorizeRequest): Uint8Array<ArrayBuffer> {
  return digest(JSON.stringify([state ?? null, challenge?.value ?? null, challenge?.method ?? null]));
}

/**
 * Returns the authorize request as hidden fields of the consent form. `state` is percent-encoded, as browsers
 * rewrite line breaks in fields and `state` must be returned unchanged.
 */
export function toFormFields(parameters: URLSearchParams): { name: string; value: string }[] {
  return [...parameters].map(([name, value]) => ({
    name,
    value: name === 'state' ? encodeURIComponent(value) : value,
  }));
}

/** Leaves a `state` that our page did not encode as it is: the form's binding then refuses it. */
export function fromFormFields(posted: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    [...posted].map(([name, value]) => {
      const decoded = name === 'state' ? percentDecoded(value) : value;
      return [name, decoded ?? value];
    }),
  );
}

/**
 * Deletes expired consent pages.
 * @returns the number of deleted rows
 */
export async function deleteOldConsentForms(): Promise<number> {
  return sql().$executeRaw`delete from consent_forms where expires_at < now()`;
}
