import { allowInsecureRequests, ClientSecretPost, Configuration } from 'openid-client';
import type { Settings } from '../settings.ts';

/**
 * Creates the OAuth client without discovery, as a no-code platform stores an app's three endpoints. Sends the secret
 * in the form body (RFC 6749 §2.3.1).
 */
export function makeClient(settings: Settings): Configuration {
  const { serviceUrl, clientId, clientSecret } = settings;
  const client = new Configuration(
    {
      issuer: serviceUrl,
      authorization_endpoint: `${serviceUrl}/oauth/authorize`,
      token_endpoint: `${serviceUrl}/oauth/token`,
      revocation_endpoint: `${serviceUrl}/oauth/revoke`,
    },
    clientId,
    { client_secret: clientSecret },
    ClientSecretPost(clientSecret),
  );
  // The settings allow plain http only for loopback addresses.
  if (serviceUrl.startsWith('http:')) allowInsecureRequests(client);
  return client;
}
