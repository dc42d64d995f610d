import { takeSlot } from '#server/automation/connections/slots.ts';
import { type AuthorizeRequest, judgeAuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import {
  type AuthorizeResponse,
  authorizeParameters,
  cardResponse,
  errorResponse,
  platformReturn,
  unknownClientResponse,
  waysOn,
} from '#server/automation/oauth/authorize-response.ts';
import { fromFormFields, spendConsentForm } from '#server/automation/oauth/consent-form.ts';
import { consentNames, findOwners, whoUpgrades } from '#server/automation/oauth/consent-page.ts';
import type { WaysOn } from '#server/automation/oauth/consent-view.ts';
import { CODE_SECONDS, newCode } from '#server/automation/oauth/tokens.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { takeFrom } from '#server/core/limits/limits.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';
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

type Approval = { kind: 'approved'; code: string } | { kind: 'not_allowed' } | { kind: 'no_slot' };

/**
 * Approves the platform's request for a workspace: creates the connection and its authorization code in one
 * transaction that locks the workspace's row, so that role and slots are judged as they are when it commits
 * (spec.md §3; decisions: OAuth, 1).
 */
export async function approve(given: {
  workspaceId: string;
  teammate: Teammate;
  request: AuthorizeRequest;
}): Promise<Approval> {
  const { workspaceId, teammate } = given;
  return inTransaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const member = await tx.member.findUnique({
      where: { workspaceId_userId: { workspaceId, userId: teammate.id }, workspace: { deletedAt: null } },
      select: { role: true },
    });
    if (!member || !isAdmin(member.role)) {
      if (member) await refuse(tx, given, 'role');
      return { kind: 'not_allowed' };
    }
    const integrationId = await takeSlot(tx, workspaceId);
    if (!integrationId) {
      await refuse(tx, given, 'slots');
      return { kind: 'no_slot' };
    }
    const connection = await tx.connection.create({
      data: {
        workspaceId,
        userId: teammate.id,
        integrationId,
        teammateName: teammate.name,
        teammateEmail: teammate.email,
      },
      select: { id: true },
    });
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'connection_made',
      connectionId: connection.id,
      by: teammate,
    });
    const ids = { connectionId: connection.id, workspaceId, userId: teammate.id };
    afterCommit(tx, () => {
      log().info(ids, 'oauth.approved');
      publish(workspaceId, 'deliveries');
    });
    return { kind: 'approved', code: await issueCode(tx, connection.id, given.request) };
  });
}

async function issueCode(tx: Tx, connectionId: string, { challenge }: AuthorizeRequest): Promise<string> {
  const code = newCode();
  await tx.$executeRaw`
    insert into authorization_codes
      (code_hash, connection_id, redirect_uri, code_challenge, challenge_method, expires_at)
    values (${digest(code)}, ${connectionId}::uuid, ${settings().PLATFORM_RETURN_URL},
      ${challenge?.value ?? null}, ${challenge?.method ?? null}::challenge_method,
      now() + make_interval(secs => ${CODE_SECONDS}))`;
  return code;
}

function refuse(
  tx: Tx,
  { workspaceId, teammate }: { workspaceId: string; teammate: Teammate },
  reason: 'role' | 'slots',
) {
  afterCommit(tx, () => {
    log().info({ workspaceId, userId: teammate.id, reason }, 'oauth.approval_refused');
    publish(workspaceId, 'deliveries');
  });
  return addAuditEntry(tx, { workspaceId, kind: 'connection_refused', by: teammate, data: { reason } });
}
