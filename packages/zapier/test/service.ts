import { createHash, randomBytes } from 'node:crypto';
import zapier, { type Bundle } from 'zapier-platform-core';
import { createAutomationClient } from '../../client/dist/index.js';
import {
  approve,
  CREDENTIALS,
  makeWorkspace,
  RETURN_URL,
  SERVICE_URL,
  type Tokens,
  type Workspace,
} from '../../client/test/service.ts';
import App from '../dist/index.js';

process.env.CLIENT_ID = CREDENTIALS.client_id;
process.env.CLIENT_SECRET = CREDENTIALS.client_secret;

const tester = zapier.createAppTester(App);
// biome-ignore lint/suspicious/noExplicitAny: the tester looks the method up in the app
type Method = any;

/** Runs a method of the app like Zapier. */
export function run<Result = Record<string, unknown>>(method: Method, bundle: object = {}): Promise<Result> {
  return tester(method, bundle as Partial<Bundle>) as Promise<Result>;
}

/** Connects a workspace like Zapier: consent of the owner with PKCE, then the exchange of the code. */
export async function connect(workspace: Workspace): Promise<Tokens> {
  const { oauth2Config } = App.authentication as NonNullable<typeof App.authentication>;
  const redirect_uri = RETURN_URL;
  const state = randomBytes(8).toString('hex');
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const url = new URL(await run<string>(oauth2Config?.authorizeUrl, { inputData: { redirect_uri, state } }));
  url.searchParams.set('code_challenge', code_challenge);
  url.searchParams.set('code_challenge_method', 'S256');
  const response = await approve(workspace, url);
  if (response.get('state') !== state)
    throw new Error(`The redirect has the wrong state ${response.get('state')}.`);
  return run(oauth2Config?.getAccessToken, {
    inputData: { code: response.get('code'), redirect_uri, code_verifier },
  });
}

/** Creates a workspace with a connection. `authData` is for calls of the app, `client` for checks through the API. */
export async function connected(plan?: 'starter' | 'growth') {
  const workspace = await makeWorkspace(plan);
  const authData = await connect(workspace);
  const client = createAutomationClient({ baseUrl: SERVICE_URL, accessToken: authData.access_token });
  return { workspace, authData, client };
}
