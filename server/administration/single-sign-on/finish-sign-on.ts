import { admitPerson } from '#server/administration/single-sign-on/admit-person.ts';
import { openSession } from '#server/administration/single-sign-on/open-session.ts';
import { exchangeCode, type Identity } from '#server/administration/single-sign-on/provider.ts';
import { SignOnFault } from '#server/administration/single-sign-on/sign-on-fault.ts';
import {
  type Attempt,
  loadProvider,
  spendAttempt,
} from '#server/administration/single-sign-on/start-sign-on.ts';
import { isUniqueViolation } from '#server/core/database/errors.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { log } from '#server/core/log.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { describeOrigin } from '#server/teammates/record-sign-in.ts';
import { asOwner } from '#server/teammates/require-role.ts';
import { redirectUriOf } from '#server/teammates/sign-on-paths.ts';
import { findSignedIn } from '#server/teammates/signed-in.ts';

/** Result of a callback. `attempt`: null when the browser has none, so that nothing about it is known. */
export type SignOnResult =
  | { kind: 'signed_in'; next: string; setCookies: string[] }
  | { kind: 'tested' }
  | { kind: 'failed'; fault: SignOnFault; attempt: Attempt | null };

/**
 * Handles the return of a browser from the provider of a workspace. Records a failure in its audit log.
 * @param query parameters of the callback
 */
export async function finishSignOn(
  headers: Headers,
  { workspaceId, query }: { workspaceId: string; query: URLSearchParams },
): Promise<SignOnResult> {
  const state = query.get('state') ?? '';
  const attempt = await spendAttempt(headers, state);
  if (!attempt || attempt.workspaceId !== workspaceId)
    return { kind: 'failed', fault: new SignOnFault('expired'), attempt: null };
  let identity: Identity | undefined;
  try {
    const provider = await loadProvider(workspaceId);
    const { version, updatedAt } = provider;
    if (version !== attempt.version) throw new SignOnFault('off');
    const callback = new URL(`${redirectUriOf(workspaceId)}?${query}`);
    const { nonce, verifier, next, testedBy } = attempt;
    identity = await exchangeCode(provider, { callback, state, nonce, verifier });
    if (testedBy !== null) {
      await recordTest(headers, { workspaceId, identity, updatedAt, testedBy });
      return { kind: 'tested' };
    }
    const signedInId = (await findSignedIn(headers))?.user.id ?? null;
    const user = await admitOnce({ workspaceId, version, identity, signedInId });
    const { hasMfa } = identity;
    const { setCookies } = await openSession(headers, { workspaceId, version, user, hasMfa });
    return { kind: 'signed_in', next, setCookies };
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error;
    await recordFault(headers, { workspaceId, fault: error, email: identity?.email });
    return { kind: 'failed', fault: error, attempt };
  }
}

/** Two first sign-ins of a person at the same time: the second one finds the account of the first. */
async function admitOnce(admission: Parameters<typeof admitPerson>[0]) {
  try {
    return await admitPerson(admission);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return admitPerson(admission);
  }
}

type Test = { workspaceId: string; identity: Identity; updatedAt: Date; testedBy: string };

/** Records a test that succeeded, unless the provider was changed since the code was exchanged. Signs nobody in. */
async function recordTest(
  headers: Headers,
  { workspaceId, identity, updatedAt, testedBy }: Test,
): Promise<void> {
  const signedIn = await findSignedIn(headers);
  if (signedIn?.user.id !== testedBy) throw new SignOnFault('expired');
  const { email, googleDomain } = identity;
  await asOwner({ workspaceId, by: signedIn.user }, async (tx) => {
    for (const address of [email, ...(googleDomain === null ? [] : [`@${googleDomain}`])]) {
      const domain = address.slice(address.lastIndexOf('@') + 1);
      const where = { workspaceId, domain, verifiedAt: { not: null } };
      if ((await tx.signOnDomain.count({ where })) === 0) throw new SignOnFault('outside');
    }
    const { count } = await tx.singleSignOn.updateMany({
      where: { workspaceId, updatedAt },
      data: { testedAt: new Date() },
    });
    if (count === 0) throw new SignOnFault('off');
    await addAuditEntry(tx, {
      workspaceId,
      kind: 'single_sign_on_tested',
      by: signedIn.user,
      data: { email },
    });
  });
}

type Failure = { workspaceId: string; fault: SignOnFault; email: string | undefined };

/** A limit per workspace keeps strangers from filling the audit log. */
async function recordFault(headers: Headers, { workspaceId, fault, email }: Failure): Promise<void> {
  const { reason, message, cause } = fault;
  log().info({ workspaceId, reason, err: cause }, 'single_sign_on.failed');
  if (!(await consumeLimit('sign_on_audit', workspaceId)).allowed) return;
  if (!(await db().workspace.count({ where: { id: workspaceId } }))) return;
  await inTransaction((tx) =>
    addAuditEntry(tx, {
      workspaceId,
      kind: 'single_sign_on_failed',
      data: { who: email ?? 'someone', reason: message, ...describeOrigin(headers) },
    }),
  );
}
