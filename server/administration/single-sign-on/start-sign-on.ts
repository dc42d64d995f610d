import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { authorizationUrl, type Provider } from '#server/administration/single-sign-on/provider.ts';
import { SignOnFault } from '#server/administration/single-sign-on/sign-on-fault.ts';
import { db } from '#server/core/database/prisma.ts';
import { sql } from '#server/core/database/sql.ts';
import { requestAddress } from '#server/core/limits/address-key.ts';
import { consumeLimit } from '#server/core/limits/limits.ts';
import { seal, unseal } from '#server/core/seal.ts';
import { secretKeys } from '#server/core/secret-keys.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { cookieHeader, type OwnCookie, readCookie } from '#server/teammates/own-cookie.ts';
import { redirectUriOf } from '#server/teammates/sign-on-paths.ts';

/** Time in which a person has to come back from the provider. */
const ATTEMPT_SECONDS = 10 * 60;

/** Names the browser that started. Lax: the provider sends the browser back with it. */
const COOKIE: OwnCookie = {
  name: 'sign_on',
  lifeSeconds: ATTEMPT_SECONDS,
  path: '/sso/',
  sameSite: 'lax',
};

const attemptSchema = z.object({
  workspaceId: z.string(),
  /** Version of the provider. */
  version: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Path to open afterwards. */
  next: z.string(),
  /** The owner who tests the provider. Null: a sign-in. */
  testedBy: z.string().nullable(),
});

/** A sign-in at a provider, from its start until the browser comes back. */
export type Attempt = z.output<typeof attemptSchema>;

/** The provider of a workspace, with what its sign-ins need. */
export type StoredProvider = Provider & { version: string; isTested: boolean; updatedAt: Date };

/** Returns the provider of a workspace. @throws SignOnFault without one, or when its secret cannot be read */
export async function loadProvider(workspaceId: string): Promise<StoredProvider> {
  const found = isUuid(workspaceId)
    ? await db().singleSignOn.findFirst({ where: { workspaceId, workspace: { deletedAt: null } } })
    : null;
  if (!found) throw new SignOnFault('off');
  const { issuer, clientId, version, testedAt, updatedAt } = found;
  const clientSecret = unseal(found.clientSecret, workspaceId, secretKeys());
  return { issuer, clientId, clientSecret, version, isTested: testedAt !== null, updatedAt };
}

/**
 * Starts a sign-in at the provider of a workspace. The attempt is bound to the browser by a cookie, and stored encrypted.
 * @param start.testedBy the owner who tests the provider; null for a sign-in
 * @returns where to send the browser, and the cookie to set
 * @throws SignOnFault
 */
export async function startSignOn(
  headers: Headers,
  start: { workspaceId: string; next: string; testedBy: string | null },
): Promise<{ to: string; setCookies: string[] }> {
  const { workspaceId, next, testedBy } = start;
  if (!(await consumeLimit('sign_on', requestAddress(headers))).allowed) throw new SignOnFault('busy');
  const provider = await loadProvider(workspaceId);
  if (!provider.isTested && testedBy === null) throw new SignOnFault('off');
  const state = randomState();
  const secrets = { nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const redirectUri = redirectUriOf(workspaceId);
  const to = await authorizationUrl(provider, { state, ...secrets, redirectUri });
  // One secret for all tabs of a browser, so that several can sign in at the same time.
  const browser = browserIn(headers) ?? newSecret();
  const identifier = identifierOf(state, browser);
  const attempt: Attempt = { workspaceId, version: provider.version, ...secrets, next, testedBy };
  const expiresAt = new Date(Date.now() + ATTEMPT_SECONDS * 1_000);
  const value = seal(JSON.stringify(attempt), identifier, secretKeys()).toString('base64');
  await db().verification.create({ data: { identifier, value, expiresAt }, select: { id: true } });
  return { to, setCookies: [cookieHeader(COOKIE, browser)] };
}

/**
 * Ends an attempt, which a browser can do once.
 * @returns the attempt; null when it has expired, was used, or was started in another browser
 */
export async function spendAttempt(headers: Headers, state: string): Promise<Attempt | null> {
  const browser = browserIn(headers);
  if (browser === undefined) return null;
  const identifier = identifierOf(state, browser);
  const [row] = await sql().$queryRaw<{ value: string; isLive: boolean }[]>`
    delete from verifications where identifier = ${identifier} returning value, expires_at > now() as "isLive"`;
  if (!row?.isLive) return null;
  const text = unseal(Buffer.from(row.value, 'base64'), identifier, secretKeys());
  return attemptSchema.parse(JSON.parse(text));
}

/** Another browser finds nothing under it, so it cannot end the attempt either. */
function identifierOf(state: string, browser: string): string {
  return `sign-on:${Buffer.from(digest(`${browser} ${state}`)).toString('base64url')}`;
}

const BROWSER = /^[0-9A-Za-z]{43}$/;

function browserIn(headers: Headers): string | undefined {
  const value = readCookie(headers, COOKIE);
  return BROWSER.test(value) ? value : undefined;
}
