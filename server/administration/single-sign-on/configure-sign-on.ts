import { v7 as uuidv7 } from 'uuid';
import { discoverProvider } from '#server/administration/single-sign-on/provider.ts';
import { providerUrlProblem } from '#server/administration/single-sign-on/provider-fetch.ts';
import { SignOnFault } from '#server/administration/single-sign-on/sign-on-fault.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { db, type Tx } from '#server/core/database/prisma.ts';
import { type FieldErrors, invalid, Refusal } from '#server/core/errors.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { publish } from '#server/core/live/publish.ts';
import { reencrypt } from '#server/core/reencrypt.ts';
import { seal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { isStorableText } from '#server/core/text.ts';
import { addAuditEntry, type TeamAuditKind } from '#server/teammates/audit-log.ts';
import { asOwner } from '#server/teammates/require-role.ts';
import { refuseInTestWorkspace } from '#server/teammates/test-workspaces.ts';

type By = { workspaceId: string; by: Teammate };

/** Provider as an owner typed it. An empty secret keeps the stored one. */
export type TypedProvider = { issuer: string; clientId: string; clientSecret: string };

export const PROVIDER_TEXT_MAX_LENGTH = 500;
const WELL_KNOWN = '/.well-known/openid-configuration';

const IN_TEST = 'A test workspace has the single sign-on of its own workspace.';
const TOO_MANY = 'The provider was checked too often. Wait a minute and try again.';
const IS_REQUIRED =
  'Turn off “Require single sign-on” first, so that nobody is locked out by another provider.';
const NO_SECRET = 'Enter the client secret that the provider shows.';
const OTHER_CLIENT = 'Enter the client secret of this client.';
const NOT_REACHED =
  'There is no OpenID Connect provider at this address, or it could not be reached. Check the address.';
const OTHER_ISSUER =
  'The provider names another issuer than this address. Enter the issuer of your own organization exactly as it is shown there.';

/**
 * Saves the identity provider of a workspace, after its metadata was read. With another issuer or client, a test is needed again, the
 * links between people there and accounts are removed, as their subject identifiers may be others, and what the provider before
 * confirmed no longer opens the workspace.
 * @throws Refusal unless `by` is an owner, or when the provider cannot be used
 */
export async function saveProvider(input: By & { provider: TypedProvider }): Promise<void> {
  const { workspaceId, by } = input;
  const typed = parseProvider(input.provider);
  if (!(await consumeLimit('channel_check', workspaceId)).allowed) throw new Refusal('forbidden', TOO_MANY);
  const keys = secretKeys();
  const issuer = await readIssuer(typed);
  await asOwner(input, async (tx) => {
    await refuseInTestWorkspace(tx, workspaceId, IN_TEST);
    const before = await tx.singleSignOn.findUnique({ where: { workspaceId } });
    const isOther = before?.issuer !== issuer || before.clientId !== typed.clientId;
    if (before?.requiredAt && isOther) throw new Refusal('forbidden', IS_REQUIRED);
    if (typed.clientSecret === '' && isOther)
      throw invalid({ clientSecret: [before ? OTHER_CLIENT : NO_SECRET] });
    const data = {
      issuer,
      clientId: typed.clientId,
      ...(isOther ? { version: uuidv7(), testedAt: null } : {}),
      ...(typed.clientSecret === '' ? {} : { clientSecret: sealed(typed.clientSecret, workspaceId, keys) }),
    };
    if (before) await tx.singleSignOn.update({ where: { workspaceId }, data, select: { workspaceId: true } });
    else {
      const clientSecret = sealed(typed.clientSecret, workspaceId, keys);
      await tx.singleSignOn.create({
        data: { ...data, workspaceId, clientSecret },
        select: { workspaceId: true },
      });
    }
    if (isOther) {
      await tx.signOnIdentity.deleteMany({ where: { workspaceId } });
      await tx.sessionSignOn.deleteMany({ where: { workspaceId } });
    }
    await record(tx, { workspaceId, by }, 'single_sign_on_saved', { issuer });
  });
}

function sealed(secret: string, workspaceId: string, keys: ReturnType<typeof secretKeys>) {
  return Uint8Array.from(seal(secret, workspaceId, keys));
}

function parseProvider({ issuer, clientId, clientSecret }: TypedProvider): TypedProvider {
  const address = issuer.trim();
  // Providers often show the address of their metadata.
  const typed = {
    issuer: address.endsWith(WELL_KNOWN) ? address.slice(0, -WELL_KNOWN.length) : address,
    clientId: clientId.trim(),
    clientSecret: clientSecret.trim(),
  };
  const errors: FieldErrors = {};
  const problem = providerUrlProblem(typed.issuer);
  if (problem) errors.issuer = [problem];
  if (typed.clientId === '') errors.clientId = ['Enter the client ID that the provider shows.'];
  for (const [field, text] of Object.entries(typed)) {
    if (text.length > PROVIDER_TEXT_MAX_LENGTH || !isStorableText(text))
      errors[field] = [`This can have up to ${PROVIDER_TEXT_MAX_LENGTH} characters.`];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return typed;
}

/** Returns the issuer as the provider writes it. */
async function readIssuer(provider: TypedProvider): Promise<string> {
  try {
    return (await discoverProvider(provider)).serverMetadata().issuer;
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error;
    throw invalid({ issuer: [error.reason === 'untrusted' ? OTHER_ISSUER : NOT_REACHED] });
  }
}

const NOT_SET_UP = 'Set up a provider first.';
const NOT_TESTED = 'Test the sign-in first. It has to succeed with the provider as it is now.';
const NO_DOMAIN = 'Verify at least one domain first.';

/**
 * Requires single sign-on of the people in the domains of a workspace, or no longer. Owners can always sign in with their password
 * and second factor (`CLOSED_BY`).
 * @throws Refusal unless `by` is an owner, a test succeeded and a domain is verified
 */
export async function requireSignOn(input: By & { isRequired: boolean }): Promise<void> {
  const { workspaceId, isRequired } = input;
  await asOwner(input, async (tx) => {
    const found = await find(tx, workspaceId);
    if ((found.requiredAt !== null) === isRequired) return;
    if (isRequired) {
      if (!found.testedAt) throw new Refusal('forbidden', NOT_TESTED);
      if (!(await tx.signOnDomain.count({ where: { workspaceId, verifiedAt: { not: null } } })))
        throw new Refusal('forbidden', NO_DOMAIN);
    }
    await tx.singleSignOn.update({
      where: { workspaceId },
      data: { requiredAt: isRequired ? new Date() : null },
      select: { workspaceId: true },
    });
    await record(tx, input, isRequired ? 'single_sign_on_required' : 'single_sign_on_not_required');
  });
}

/** Decides who joins by signing in: people without an account, in a role, or only who was invited (null). */
export async function setJoinRole(input: By & { role: 'agent' | 'viewer' | null }): Promise<void> {
  const { workspaceId, role } = input;
  await asOwner(input, async (tx) => {
    const { joinRole } = await find(tx, workspaceId);
    if (joinRole === role) return;
    await tx.singleSignOn.update({
      where: { workspaceId },
      data: { joinRole: role },
      select: { workspaceId: true },
    });
    await record(tx, input, 'single_sign_on_joining', { role: role ?? 'nobody' });
  });
}

/** Removes the provider of a workspace. Sessions that it opened stay until they end. @throws Refusal unless `by` is an owner */
export async function removeProvider(input: By): Promise<void> {
  const { workspaceId } = input;
  await asOwner(input, async (tx) => {
    const { issuer } = await find(tx, workspaceId);
    await tx.singleSignOn.delete({ where: { workspaceId }, select: { workspaceId: true } });
    await tx.signOnIdentity.deleteMany({ where: { workspaceId } });
    await record(tx, input, 'single_sign_on_removed', { issuer });
  });
}

async function find(tx: Tx, workspaceId: string) {
  const found = await tx.singleSignOn.findUnique({ where: { workspaceId } });
  if (!found) throw new Refusal('not_found', NOT_SET_UP);
  return found;
}

async function record(
  tx: Tx,
  { workspaceId, by }: By,
  kind: TeamAuditKind,
  data: Record<string, string> = {},
): Promise<void> {
  await addAuditEntry(tx, { workspaceId, kind, by, data });
  afterCommit(tx, () => publish(workspaceId, 'teammates'));
}

/** Re-encrypts client secrets with the first key of SECRETS_KEY, as `reencrypt` does. */
export function reencryptClientSecrets(): Promise<number> {
  return reencrypt(
    'single_sign_on.not_reencrypted',
    async () =>
      (await db().singleSignOn.findMany({ select: { workspaceId: true, clientSecret: true } })).map(
        ({ workspaceId, clientSecret }) => ({ id: workspaceId, sealed: clientSecret }),
      ),
    (workspaceId, { old, sealed: clientSecret }) =>
      db().singleSignOn.updateMany({ where: { workspaceId, clientSecret: old }, data: { clientSecret } }),
  );
}
