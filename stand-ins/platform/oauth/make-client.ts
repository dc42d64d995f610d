import { allowInsecureRequests, ClientSecretPost, Configuration } from 'openid-client';
import type { Settings } from '../settings.ts';

/**
 * The OAuth client, written out by hand: a no-code platform knows an app by its three addresses and asks for
 * no discovery document. The secret travels in the form body (RFC 6749 section 2.3.1).
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
  // Settings let plain http through for loopback addresses only.
  if (serviceUrl.startsWith('http:')) allowInsecureRequests(client);
  return client;
}
