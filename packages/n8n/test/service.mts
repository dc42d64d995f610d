import { createHash, randomBytes } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import type { ICredentialType } from 'n8n-workflow';
import { createAutomationClient } from '../../client/dist/index.js';
import {
  approve,
  CREDENTIALS,
  makeWorkspace,
  RETURN_URL,
  SERVICE_URL,
  type Tokens,
} from '../../client/test/service.ts';
import credentials from '../dist/credentials/SharedInboxOAuth2Api.credentials.js';

/** Returns the default of a credential's property for a service URL: evaluates its expression, as n8n does. */
export function credentialValue(name: string, serverUrl = SERVICE_URL): string {
  const credential: ICredentialType = new credentials.SharedInboxOAuth2Api();
  const property = credential.properties.find((each) => each.name === name);
  const [, expression = '', rest = ''] = /^=\{\{(.+)\}\}(.*)$/.exec(String(property?.default)) ?? [];
  return `${runInNewContext(expression, { $self: { serverUrl } })}${rest}`;
}

async function requestTokens(grant: Record<string, string>): Promise<Tokens> {
  // With `authentication: body`, n8n sends the client secret in the body.
  const response = await fetch(credentialValue('accessTokenUrl'), {
    method: 'POST',
    body: new URLSearchParams({ ...grant, ...CREDENTIALS }),
  });
  if (!response.ok) throw new Error(`No tokens: ${response.status} ${await response.text()}`);
  return (await response.json()) as Tokens;
}

export const refresh = ({ refresh_token }: Tokens) =>
  requestTokens({ grant_type: 'refresh_token', refresh_token });

/** Creates a workspace and connects n8n as its owner, with the same steps as the grant type `pkce` of n8n. */
export async function connected(plan?: 'starter' | 'growth') {
  const workspace = await makeWorkspace(plan);
  const redirect_uri = RETURN_URL;
  const code_verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CREDENTIALS.client_id,
    redirect_uri,
    state: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const redirect = await approve(workspace, new URL(`${credentialValue('authUrl')}?${query}`));
  const code = redirect.get('code') ?? '';
  const tokens = await requestTokens({ grant_type: 'authorization_code', code, redirect_uri, code_verifier });
  const client = createAutomationClient({ baseUrl: SERVICE_URL, accessToken: () => tokens.access_token });
  return { workspace, tokens, client };
}
