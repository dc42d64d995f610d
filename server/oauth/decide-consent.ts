import { findOwners } from '#server/connections/find-owners.ts';
import { db } from '#server/db.ts';
import { takeFrom } from '#server/limits/limits.ts';
import { approve } from '#server/oauth/approve.ts';
import {
  type AuthorizeAnswer,
  authorizeParameters,
  cardAnswer,
  errorAnswer,
  unknownClientAnswer,
  waysOn,
} from '#server/oauth/authorize-answer.ts';
import { type AuthorizeRequest, judgeAuthorizeRequest } from '#server/oauth/authorize-request.ts';
import { spendConsentForm } from '#server/oauth/consent-form.ts';
import { consentNames, whoUpgrades } from '#server/oauth/consent-page.ts';
import type { WaysOn } from '#server/oauth/consent-view.ts';
import { fromFormFields } from '#server/oauth/form-fields.ts';
import { platformReturn } from '#server/oauth/platform-return.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

/**
 * POST /oauth/authorize: the teammate's decision. Approving is checked in this order: session, origin and form
 * (403), limit (429), workspace switched meanwhile (409), role (403), slot (402) (decisions: OAuth, 10).
 * @param sameOrigin whether the browser says that our own page posted this
 */
export async function decideConsent(
  posted: URLSearchParams,
  { sameOrigin, findSignedIn }: { sameOrigin: boolean; findSignedIn: () => Promise<SignedIn | null> },
): Promise<AuthorizeAnswer> {
  const parameters = authorizeParameters(fromFormFields(posted));
  const judged = judgeAuthorizeRequest(parameters);
  if (judged.kind === 'unknown_client') return unknownClientAnswer();
  if (judged.kind === 'refused') return errorAnswer(judged.error, judged.state);
  const { request } = judged;

  const signedIn = sameOrigin ? await findSignedIn() : null;
  const form = posted.get('form') ?? '';
  // Cancelling answers the page as well: who goes back to it afterwards cannot approve with it.
  const openAtLoad = signedIn && (await spendConsentForm(form, { userId: signedIn.user.id, request }));
  if (posted.get('decision') !== 'approve') return errorAnswer('access_denied', request.state);

  const ways = { ...consentNames(), ...waysOn(parameters) };
  if (!signedIn || !openAtLoad) return cardAnswer(403, { kind: 'stale_form', ...ways });

  const { allowed, retryAfterSeconds } = await takeFrom('approval', signedIn.user.id);
  if (!allowed) {
    return { ...cardAnswer(429, { kind: 'too_many', retryAfterSeconds, ...ways }), retryAfterSeconds };
  }
  // Who left the workspace meanwhile has not switched it: approving it is refused below.
  const isMember = signedIn.workspaces.some(({ id }) => id === openAtLoad);
  if (isMember && signedIn.workspace?.id !== openAtLoad) {
    return cardAnswer(409, { kind: 'switched', ...ways });
  }
  return approveChosen(signedIn, { workspaceId: posted.get('workspace_id') || openAtLoad, request, ways });
}

type Ways = ReturnType<typeof consentNames> & WaysOn;

/** Approves for the workspace that was chosen, and tells what came of it. */
async function approveChosen(
  { user, workspaces }: SignedIn,
  { workspaceId, request, ways }: { workspaceId: string; request: AuthorizeRequest; ways: Ways },
): Promise<AuthorizeAnswer> {
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  // Of a workspace that is not theirs they learn nothing, not even whether there is one.
  if (!workspace) return cardAnswer(403, { kind: 'refused_role', workspaceName: null, owners: [], ...ways });
  const { name: workspaceName } = workspace;
  const result = await approve({ workspaceId, teammate: user, request });
  switch (result.kind) {
    case 'approved':
      return { kind: 'redirect', to: platformReturn({ code: result.code, state: request.state }) };
    case 'not_allowed': {
      const owners = await findOwners(db(), workspaceId);
      return cardAnswer(403, { kind: 'refused_role', workspaceName, owners, ...ways });
    }
    case 'no_slot': {
      const about = {
        workspace: { id: workspaceId, name: workspaceName },
        ...(await whoUpgrades(workspace)),
      };
      return cardAnswer(402, { kind: 'refused_slot', ...about, ...ways });
    }
  }
}
