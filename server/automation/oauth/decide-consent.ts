import { claimSlot } from '#server/automation/connections/slots.ts';
import { type AuthorizeRequest, parseAuthorizeRequest } from '#server/automation/oauth/authorize-request.ts';
import {
  type AuthorizeResponse,
  authorizeParameters,
  cardResponse,
  errorResponse,
  exitLinks,
  platformReturn,
  signInResponse,
  unknownClientResponse,
} from '#server/automation/oauth/authorize-response.ts';
import { fromFormFields, spendConsentForm } from '#server/automation/oauth/consent-form.ts';
import { consentNames, findAskable, upgradeDetails } from '#server/automation/oauth/consent-page.ts';
import type { ExitLinks } from '#server/automation/oauth/consent-view.ts';
import { CODE_SECONDS, newCode } from '#server/automation/oauth/tokens.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { settings } from '#server/core/env.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { publish } from '#server/core/live/publish.ts';
import { log } from '#server/core/log.ts';
import { digest } from '#server/core/secrets.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { inLockedWorkspace } from '#server/teammates/require-role.ts';
import { ADMIN_ROLES, isAdmin } from '#server/teammates/roles.ts';
import type { SignedIn } from '#server/teammates/signed-in.ts';

type Sender = {
  sameOrigin: boolean;
  findSignedIn: () => Promise<SignedIn | null>;
  endSession: () => Promise<{ setCookies: string[] }>;
};

/**
 * Handles POST /oauth/authorize, the teammate's decision. Checks an approval in this order: session, origin
 * and form (403), rate limit (429), workspace switched since the page was loaded (409), role (403), slot
 * (402) (docs/rulings.md 4.10).
 * "Use another account" ends the session and asks to sign in again, for the same request.
 * @param sameOrigin whether the browser reports that our own page posted the form
 */
export async function decideConsent(
  posted: URLSearchParams,
  { sameOrigin, findSignedIn, endSession }: Sender,
): Promise<AuthorizeResponse> {
  const parameters = authorizeParameters(fromFormFields(posted));
  const parsed = parseAuthorizeRequest(parameters);
  if (parsed.kind === 'unknown_client') return unknownClientResponse();
  if (parsed.kind === 'refused') return errorResponse(parsed.error, parsed.state);
  const { request } = parsed;

  const signedIn = sameOrigin ? await findSignedIn() : null;
  const form = posted.get('form') ?? '';
  // Cancelling spends the form too, so that it cannot be approved after going back.
  const openAtLoad = signedIn && (await spendConsentForm(form, { userId: signedIn.user.id, request }));
  const decision = posted.get('decision');
  if (decision !== 'approve' && decision !== 'switch_account')
    return errorResponse('access_denied', request.state);

  const links = { ...consentNames(), ...exitLinks(parameters) };
  if (!signedIn || !openAtLoad) return cardResponse(403, { kind: 'stale_form', ...links });
  if (decision === 'switch_account') return { ...signInResponse(parameters), ...(await endSession()) };

  const { allowed, retryAfterSeconds } = await consumeLimit('approval', signedIn.user.id);
  if (!allowed) {
    return { ...cardResponse(429, { kind: 'too_many', retryAfterSeconds, ...links }), retryAfterSeconds };
  }
  // A teammate who left the workspace has not switched it: the approval is refused below.
  const isMember = signedIn.workspaces.some(({ id }) => id === openAtLoad);
  if (isMember && signedIn.workspace?.id !== openAtLoad) {
    return cardResponse(409, { kind: 'switched', ...links });
  }
  return approveChosen(signedIn, { workspaceId: posted.get('workspace_id') || openAtLoad, request, links });
}

type Links = ReturnType<typeof consentNames> & ExitLinks;

async function approveChosen(
  { user, workspaces }: SignedIn,
  { workspaceId, request, links }: { workspaceId: string; request: AuthorizeRequest; links: Links },
): Promise<AuthorizeResponse> {
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  // Reveal nothing about a workspace that the user is not a member of, not even whether it exists.
  if (!workspace)
    return cardResponse(403, { kind: 'refused_role', workspaceName: null, owners: [], ...links });
  const { name: workspaceName } = workspace;
  const result = await approve({ workspaceId, teammate: user, request });
  switch (result.kind) {
    case 'approved':
      return { kind: 'redirect', to: platformReturn({ code: result.code, state: request.state }) };
    case 'not_allowed': {
      const owners = await findAskable(workspaceId, ADMIN_ROLES);
      return cardResponse(403, { kind: 'refused_role', workspaceName, owners, ...links });
    }
    case 'no_slot': {
      const about = {
        workspace: { id: workspaceId, name: workspaceName },
        ...(await upgradeDetails(workspace)),
      };
      return cardResponse(402, { kind: 'refused_slot', ...about, ...links });
    }
  }
}

type Approval = { kind: 'approved'; code: string } | { kind: 'not_allowed' } | { kind: 'no_slot' };

/**
 * Approves the platform's request: creates the connection and its authorization code in one transaction.
 * Locks the workspace's row, so that role and slots still apply at the commit (docs/spec.md §3;
 * docs/rulings.md 4.1).
 */
export async function approve(consent: {
  workspaceId: string;
  teammate: Teammate;
  request: AuthorizeRequest;
}): Promise<Approval> {
  const { workspaceId, teammate } = consent;
  return inLockedWorkspace({ workspaceId, by: teammate }, async (tx, role) => {
    if (!role || !isAdmin(role)) {
      if (role) await refuse(tx, consent, 'role');
      return { kind: 'not_allowed' };
    }
    const integrationId = await claimSlot(tx, workspaceId);
    if (!integrationId) {
      await refuse(tx, consent, 'slots');
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
    return { kind: 'approved', code: await issueCode(tx, connection.id, consent.request) };
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
