import { SignOnFault } from '#server/administration/single-sign-on/sign-on-fault.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { inTransaction, type Tx } from '#server/core/database/prisma.ts';
import { requestAddress } from '#server/core/limits/address-key.ts';
import { publishSession } from '#server/core/live/publish.ts';
import { newSecret } from '#server/core/secrets.ts';
import { SESSION_SECONDS } from '#server/teammates/auth.ts';
import { findKnownBrowser, rememberBrowserHeader } from '#server/teammates/known-browser.ts';
import { recordSignIn } from '#server/teammates/record-sign-in.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';
import { findSignedIn, readSessionToken, sessionCookieHeader } from '#server/teammates/signed-in.ts';
import { isTrustedBrowser } from '#server/teammates/trusted-browser.ts';

type SignOn = { workspaceId: string; version: string; user: Teammate; hasMfa: boolean };

/**
 * Opens a workspace for a teammate whom its provider signed in: in the session of this browser if it is theirs, otherwise in a new one,
 * which opens nothing else. The session gets a new token in any case, so that a cookie that was planted or copied before stays worthless.
 * A second factor of the account is asked for next, unless the provider reports several factors.
 * @returns the cookies to set
 * @throws SignOnFault when the provider was changed in the meantime
 */
export async function openSession(headers: Headers, signOn: SignOn): Promise<{ setCookies: string[] }> {
  const { user, hasMfa } = signOn;
  const token = newSecret();
  const isKnownBrowser = (await findKnownBrowser(headers, user.email)) !== undefined;
  const id = (await extendSession(headers, signOn, token)) ?? (await createSession(headers, signOn, token));
  await recordSignIn({
    session: { id, userId: user.id },
    headers,
    isKnownBrowser,
    provider: { hasMfa },
  });
  return {
    setCookies: [await sessionCookieHeader(token), ...(await rememberBrowserHeader(headers, user.id))],
  };
}

/** Adds the workspace to the session of this browser. Returns its id; undefined when it is not a session of the teammate. */
async function extendSession(headers: Headers, signOn: SignOn, token: string): Promise<string | undefined> {
  const { workspaceId, user, hasMfa } = signOn;
  const current = await findSignedIn(headers);
  const before = await readSessionToken(headers);
  if (before === null || current?.user.id !== user.id) return undefined;
  const { sessionId } = current;
  return inTransaction(async (tx) => {
    await requireProvider(tx, signOn);
    const { count } = await tx.session.updateMany({
      where: { id: sessionId, token: before },
      data: { token, workspaceId },
    });
    if (count === 0) return undefined;
    const confirmed = { hasMfa, signedOnAt: new Date() };
    await tx.sessionSignOn.upsert({
      where: { sessionId_workspaceId: { sessionId, workspaceId } },
      create: { sessionId, workspaceId, ...confirmed },
      update: confirmed,
      select: { sessionId: true },
    });
    return sessionId;
  }).then((id) => {
    if (id !== undefined) publishSession(id);
    return id;
  });
}

/** Locks the workspace, because saving another provider removes what the provider before confirmed. */
async function requireProvider(tx: Tx, { workspaceId, version }: SignOn): Promise<void> {
  await lockWorkspace(tx, workspaceId);
  if (!(await tx.singleSignOn.count({ where: { workspaceId, version } }))) throw new SignOnFault('off');
}

async function createSession(headers: Headers, signOn: SignOn, token: string): Promise<string> {
  const { workspaceId, user, hasMfa } = signOn;
  const isTrusted = await isTrustedBrowser(headers, user.id);
  return inTransaction(async (tx) => {
    await requireProvider(tx, signOn);
    const { id } = await tx.session.create({
      data: {
        userId: user.id,
        token,
        workspaceId,
        isSingleSignOn: true,
        secondFactorAt: isTrusted ? new Date() : null,
        ipAddress: requestAddress(headers),
        userAgent: headers.get('user-agent') ?? '',
        expiresAt: new Date(Date.now() + SESSION_SECONDS * 1_000),
        signOns: { create: { workspaceId, hasMfa } },
      },
      select: { id: true },
    });
    await tx.user.updateMany({ where: { id: user.id }, data: { lastWorkspaceId: workspaceId } });
    return id;
  });
}
