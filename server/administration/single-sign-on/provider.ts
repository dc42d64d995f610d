import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import {
  fetchFromProvider,
  ProviderRequestError,
  providerUrlProblem,
  REQUEST_TIMEOUT_MS,
} from '#server/administration/single-sign-on/provider-fetch.ts';
import { SignOnFault, type SignOnReason } from '#server/administration/single-sign-on/sign-on-fault.ts';
import { parseEmail } from '#server/contract/parse-email.ts';

/** The client that an identity provider knows this service as, for one workspace. */
export type Provider = { issuer: string; clientId: string; clientSecret: string };

/** Difference of the clocks that is accepted, in seconds. */
const CLOCK_TOLERANCE_SECONDS = 60;

/**
 * Reads the metadata of a provider (OpenID Connect Discovery), afresh for each sign-in: a key that was rotated is known.
 * @throws SignOnFault
 */
export async function discoverProvider({ issuer, clientId, clientSecret }: Provider): Promise<Configuration> {
  const isPlain = issuer.startsWith('http:');
  const config = await discovery(
    new URL(issuer),
    clientId,
    { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    secretAs(clientSecret),
    {
      [customFetch]: fetchFromProvider,
      timeout: REQUEST_TIMEOUT_MS / 1_000,
      // Providers on this machine, which `providerUrlProblem` checks for each request.
      execute: isPlain ? [allowInsecureRequests] : [],
    },
  ).catch((error: unknown) => {
    throw faultOf(error);
  });
  // openid-client accepts the placeholder of Microsoft's common issuer, through which everyone's directory could sign in.
  const found = config.serverMetadata().issuer;
  if (found.includes('{') || new URL(found).href !== new URL(issuer).href) throw new SignOnFault('untrusted');
  // Otherwise openid-client does not verify the signature of an ID token that it got from the token endpoint.
  enableNonRepudiationChecks(config);
  return config;
}

/** Sends the secret in the way that the provider supports. Without a list, that is HTTP Basic (OpenID Connect Core §9). */
function secretAs(secret: string): ClientAuth {
  const basic = ClientSecretBasic(secret);
  const post = ClientSecretPost(secret);
  return (as, client, body, headers) => {
    const methods = as.token_endpoint_auth_methods_supported;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    return (isBasic ? basic : post)(as, client, body, headers);
  };
}

/** Secrets of one sign-in (RFC 7636, OpenID Connect Core §3.1.2.1). */
export type SignOnSecrets = { state: string; nonce: string; verifier: string };

/** Returns the address at which the browser signs in. @throws SignOnFault */
export async function authorizationUrl(
  provider: Provider,
  { redirectUri, state, nonce, verifier }: SignOnSecrets & { redirectUri: string },
): Promise<string> {
  const config = await discoverProvider(provider);
  const { authorization_endpoint: endpoint } = config.serverMetadata();
  if (endpoint === undefined || providerUrlProblem(endpoint)) throw new SignOnFault('untrusted');
  return buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href;
}

/** A person whom a provider signed in. `email`: confirmed by it. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string;
  name: string;
  hasMfa: boolean;
  /** The organization of a Google account. Null at other providers. */
  googleDomain: string | null;
};

const GOOGLE = 'https://accounts.google.com';

/**
 * Exchanges the code of a callback for the identity of the person. openid-client checks state, `iss`, nonce, audience, times and
 * signature.
 * @param callback address of the callback with its parameters
 * @throws SignOnFault
 */
export async function exchangeCode(
  provider: Provider,
  { callback, state, nonce, verifier }: SignOnSecrets & { callback: URL },
): Promise<Identity> {
  const config = await discoverProvider(provider);
  const tokens = await authorizationCodeGrant(config, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  }).catch((error: unknown) => {
    throw faultOf(error);
  });
  const claims = tokens.claims();
  if (!claims || claims.iss !== config.serverMetadata().issuer) throw new SignOnFault('untrusted');
  return identityOf(claims);
}

const NAME_MAX_LENGTH = 100;

/** Returns the person in the claims of an ID token. @throws SignOnFault unless the provider confirms the address */
export function identityOf(claims: IDToken): Identity {
  const email = typeof claims.email === 'string' ? parseEmail(claims.email.trim()) : undefined;
  if (email === undefined || !isConfirmed(claims)) throw new SignOnFault('unverified');
  const isGoogle = claims.iss === GOOGLE;
  const domain = typeof claims.hd === 'string' ? claims.hd.toLowerCase() : '';
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: email.toLowerCase(),
    name: typeof claims.name === 'string' ? claims.name.slice(0, NAME_MAX_LENGTH) : '',
    hasMfa: reportsMfa(claims),
    // Without it, the account is a private one that was opened with the address (Google, ID token claims).
    googleDomain: isGoogle ? domain : null,
  };
}

/** Microsoft Entra ID has no `email_verified`. Its `xms_edov` says that the directory verified the domain of the address. */
function isConfirmed({ email_verified: isVerified, xms_edov: isOwned }: IDToken): boolean {
  if (isVerified !== undefined) return isVerified === true || isVerified === 'true';
  return isOwned === true || isOwned === 1 || isOwned === '1' || isOwned === 'true';
}

/** Values of `acr` that mean several factors: OpenID EAP, REFEDS, and the older PAPE. */
const MFA_CONTEXTS = new Set([
  'mfa',
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]);

/** Returns whether the provider reports several factors (RFC 8176). */
function reportsMfa({ amr, acr }: IDToken): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && MFA_CONTEXTS.has(acr));
}

const WRONG_CLIENT = ['invalid_client', 'unauthorized_client'];

function faultOf(error: unknown): SignOnFault {
  return error instanceof SignOnFault ? error : new SignOnFault(reasonOf(error), error);
}

function reasonOf(error: unknown): SignOnReason {
  if (isRequestError(error)) return 'unreachable';
  if (error instanceof AuthorizationResponseError) {
    return error.error === 'access_denied' ? 'denied' : 'provider';
  }
  if (error instanceof WWWAuthenticateChallengeError) return 'client';
  if (error instanceof ResponseBodyError) {
    if (WRONG_CLIENT.includes(error.error)) return 'client';
    return error.error === 'invalid_grant' ? 'expired' : 'provider';
  }
  if (!(error instanceof ClientError)) return 'untrusted';
  if (error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT') return 'unreachable';
  if (error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return 'provider';
  return error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? 'clock' : 'untrusted';
}

function isRequestError(error: unknown): boolean {
  return (
    error instanceof ProviderRequestError ||
    (error instanceof Error && error.cause instanceof ProviderRequestError)
  );
}
