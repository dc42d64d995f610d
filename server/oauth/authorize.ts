import { takeFrom } from '#server/limits/limits.ts';
import { approve } from '#server/oauth/approve.ts';
import { type AuthorizeRequest, judgeAuthorizeRequest } from '#server/oauth/authorize-request.ts';
import { spendConsentForm } from '#server/oauth/consent-form.ts';
import { AUTHORIZE_PATH, consentNames, consentPage } from '#server/oauth/consent-page.ts';
import type { ConsentView } from '#server/oauth/consent-view.ts';
import { fromFormFields } from '#server/oauth/form-fields.ts';
import { platformReturn } from '#server/oauth/platform-return.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/** What the authorize address answers: a card at a status, or a redirect (always 303). */
export type AuthorizeAnswer =
  | { kind: 'page'; status: number; view: ConsentView; retryAfterSeconds?: number }
  | { kind: 'redirect'; to: string };

/** The parameters of an authorize request; what else is sent is ignored and goes no further. */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
];

/**
 * GET /oauth/authorize (spec.md §4.1, RFC 6749 §4.1.1). Parameters are judged before sign-in.
 * @param findSignedIn reads the session; not called for a request that is refused
 */
export async function showConsent(
  parameters: URLSearchParams,
  findSignedIn: () => Promise<SignedIn | null>,
): Promise<AuthorizeAnswer> {
  const judged = judgeAuthorizeRequest(parameters);
  if (judged.kind !== 'valid') return refusal(judged);
  const signedIn = await findSignedIn();
  if (!signedIn) {
    return { kind: 'redirect', to: `/sign-in?next=${encodeURIComponent(addressOf(parameters))}` };
  }
  return page(200, await consentPage(signedIn, judged.request, known(parameters)));
}

/**
 * POST /oauth/authorize: the teammate's decision. Approving is checked in this order: session, origin and form
 * (403), limit (429), workspace switched meanwhile (409), role (403), slot (402) (decisions: OAuth, 10).
 * @param sameOrigin whether the browser says that our own page posted this
 */
export async function decideConsent(
  posted: URLSearchParams,
  { sameOrigin, findSignedIn }: { sameOrigin: boolean; findSignedIn: () => Promise<SignedIn | null> },
): Promise<AuthorizeAnswer> {
  const parameters = known(fromFormFields(posted));
  const judged = judgeAuthorizeRequest(parameters);
  if (judged.kind !== 'valid') return refusal(judged);
  const { request } = judged;
  if (posted.get('decision') !== 'approve') return refusal({ error: 'access_denied', state: request.state });

  const retryUrl = addressOf(parameters);
  const signedIn = sameOrigin ? await findSignedIn() : null;
  const openAtLoad =
    signedIn && (await spendConsentForm(posted.get('form') ?? '', { userId: signedIn.user.id, request }));
  if (!signedIn || !openAtLoad) return page(403, { kind: 'stale_form', ...consentNames(), retryUrl });

  const limit = await takeFrom('approval', signedIn.user.id);
  if (!limit.allowed) {
    const { retryAfterSeconds } = limit;
    return { ...page(429, { kind: 'too_many', ...consentNames(), retryAfterSeconds }), retryAfterSeconds };
  }
  // Who left the workspace meanwhile has not switched it: approving it is refused below.
  const isMember = signedIn.workspaces.some(({ id }) => id === openAtLoad);
  if (isMember && signedIn.workspace?.id !== openAtLoad) {
    return page(409, { kind: 'switched', ...consentNames(), retryUrl });
  }
  return approval(signedIn, { workspaceId: posted.get('workspace_id') || openAtLoad, request, retryUrl });
}

async function approval(
  { user, workspaces }: SignedIn,
  { workspaceId, request, retryUrl }: { workspaceId: string; request: AuthorizeRequest; retryUrl: string },
): Promise<AuthorizeAnswer> {
  const isMember = workspaces.some(({ id }) => id === workspaceId);
  const result = isMember
    ? await approve({ workspaceId, teammate: user, request })
    : { kind: 'not_allowed' as const };
  if (result.kind === 'not_allowed') return page(403, { kind: 'refused_role', ...consentNames(), retryUrl });
  if (result.kind === 'no_slot') return page(402, { kind: 'refused_slot', ...consentNames(), retryUrl });
  return { kind: 'redirect', to: platformReturn({ code: result.code, state: request.state }) };
}

function refusal(
  judged: { kind: 'unknown_client' } | { error: string; state: string | undefined },
): AuthorizeAnswer {
  if ('error' in judged) {
    return { kind: 'redirect', to: platformReturn({ error: judged.error, state: judged.state }) };
  }
  return page(400, { kind: 'unknown_client', ...consentNames() });
}

/** The authorize request itself, without what the form adds to it. */
function known(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([name]) => PARAMETERS.includes(name)));
}

function addressOf(parameters: URLSearchParams): string {
  return `${AUTHORIZE_PATH}?${known(parameters)}`;
}

function page(status: number, view: ConsentView): Extract<AuthorizeAnswer, { kind: 'page' }> {
  return { kind: 'page', status, view };
}
