import { approve } from '#server/automation/oauth/approve.ts';
import { type AuthorizeRequest, judgeAuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import {
  type AuthorizeResponse,
  authorizeParameters,
  cardResponse,
  errorResponse,
  unknownClientResponse,
  waysOn,
} from '#server/automation/oauth/authorize-response.ts';
import { spendConsentForm } from '#server/automation/oauth/consent-form.ts';
import { consentNames, whoUpgrades } from '#server/automation/oauth/consent-page.ts';
import type { WaysOn } from '#server/automation/oauth/consent-view.ts';
import { findOwners } from '#server/automation/oauth/find-owners.ts';
import { fromFormFields } from '#server/automation/oauth/form-fields.ts';
import { platformReturn } from '#server/automation/oauth/platform-return.ts';
import { db } from '#server/core/database/db.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/**
 * POST /oauth/authorize: the teammate's decision. Approving is checked in this order: session, origin and form
 * (403), limit (429), workspace switched meanwhile (409), role (403), slot (402) (decisions: OAuth, 10).
 * @param sameOrigin whether the browser says that our own page posted this
 */
export async function decideConsent(
  posted: URLSearchParams,
  { sameOrigin, findSignedIn }: { sameOrigin: boolean; findSignedIn: () => Promise<SignedIn | null> },
): Promise<AuthorizeResponse> {
  const parameters = authorizeParameters(fromFormFields(posted));
  const judged = judgeAuthorizeRequest(parameters);
  if (judged.kind === 'unknown_client') return unknownClientResponse();
  if (judged.kind === 'refused') return errorResponse(judged.error, judged.state);
  const { request } = judged;

  const signedIn = sameOrigin ? await findSignedIn() : null;
  const form = posted.get('form') ?? '';
  // Cancelling answers the page as well: who goes back to it afterwards cannot approve with it.
  const openAtLoad = signedIn && (await spendConsentForm(form, { userId: signedIn.user.id, request }));
  if (posted.get('decision') !== 'approve') return errorResponse('access_denied', request.state);

  const ways = { ...consentNames(), ...waysOn(parameters) };
  if (!signedIn || !openAtLoad) return cardResponse(403, { kind: 'stale_form', ...ways });

  const { allowed, retryAfterSeconds } = await takeFrom('approval', signedIn.user.id);
  if (!allowed) {
    return { ...cardResponse(429, { kind: 'too_many', retryAfterSeconds, ...ways }), retryAfterSeconds };
  }
  // Who left the workspace meanwhile has not switched it: approving it is refused below.
  const isMember = signedIn.workspaces.some(({ id }) => id === openAtLoad);
  if (isMember && signedIn.workspace?.id !== openAtLoad) {
    return cardResponse(409, { kind: 'switched', ...ways });
  }
  return approveChosen(signedIn, { workspaceId: posted.get('workspace_id') || openAtLoad, request, ways });
}

type Ways = ReturnType<typeof consentNames> & WaysOn;

/** Approves for the chosen workspace and returns the outcome. */
async function approveChosen(
  { user, workspaces }: SignedIn,
  { workspaceId, request, ways }: { workspaceId: string; request: AuthorizeRequest; ways: Ways },
): Promise<AuthorizeResponse> {
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  // Of a workspace that is not theirs they learn nothing, not even whether there is one.
  if (!workspace)
    return cardResponse(403, { kind: 'refused_role', workspaceName: null, owners: [], ...ways });
  const { name: workspaceName } = workspace;
  const result = await approve({ workspaceId, teammate: user, request });
  switch (result.kind) {
    case 'approved':
      return { kind: 'redirect', to: platformReturn({ code: result.code, state: request.state }) };
    case 'not_allowed': {
      const owners = await findOwners(db(), workspaceId);
      return cardResponse(403, { kind: 'refused_role', workspaceName, owners, ...ways });
    }
    case 'no_slot': {
      const about = {
        workspace: { id: workspaceId, name: workspaceName },
        ...(await whoUpgrades(workspace)),
      };
      return cardResponse(402, { kind: 'refused_slot', ...about, ...ways });
    }
  }
}
