import { createHash, randomBytes } from 'node:crypto';
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

/** What the credential says where `$self` is what somebody typed in. */
function credentialValue(name: string): string {
  const credential: ICredentialType = new credentials.SharedInboxOAuth2Api();
  const property = credential.properties.find((each) => each.name === name);
  return String(property?.default).replace(/^=\{\{\$self\["serverUrl"\]\}\}/, SERVICE_URL);
}

async function askForTokens(grant: Record<string, string>): Promise<Tokens> {
  // The credential says `body`: n8n sends the client's secret there.
  const response = await fetch(credentialValue('accessTokenUrl'), {
    method: 'POST',
    body: new URLSearchParams({ ...grant, ...CREDENTIALS }),
  });
  if (!response.ok) throw new Error(`No tokens: ${response.status} ${await response.text()}`);
  return (await response.json()) as Tokens;
}

export const refresh = ({ refresh_token }: Tokens) =>
  askForTokens({ grant_type: 'refresh_token', refresh_token });

/** A workspace whose owner connects n8n, in the order of its grant type `pkce`. */
export async function connected() {
  const workspace = await makeWorkspace();
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
  const answer = await approve(workspace, new URL(`${credentialValue('authUrl')}?${query}`));
  const code = answer.get('code') ?? '';
  const tokens = await askForTokens({ grant_type: 'authorization_code', code, redirect_uri, code_verifier });
  const client = createAutomationClient({ baseUrl: SERVICE_URL, accessToken: () => tokens.access_token });
  return { workspace, tokens, client };
}
