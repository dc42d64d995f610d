import { createHash, randomBytes } from 'node:crypto';
import zapier, { type Bundle } from 'zapier-platform-core';
import { createAutomationClient } from '../../client/dist/index.js';
import App from '../dist/index.js';

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run npm run packages -- zapier in the project's folder.`);
  return value;
}

/** Where the service is that the tests run against. */
export const SERVICE_URL = setting('SERVICE_URL');
export const HOOKS_HOST = setting('HOOKS_HOST');
const DOORS_URL = setting('DOORS_URL');
process.env.CLIENT_ID = setting('PLATFORM_CLIENT_ID');
process.env.CLIENT_SECRET = setting('PLATFORM_CLIENT_SECRET');

const tester = zapier.createAppTester(App);
// biome-ignore lint/suspicious/noExplicitAny: a method of the app, which the tester finds again in it
type Method = any;

/** Runs a method of the app as the platform does. */
export function run<Result = Record<string, unknown>>(method: Method, bundle: object = {}): Promise<Result> {
  return tester(method, bundle as Partial<Bundle>) as Promise<Result>;
}

/** Asks for what cannot be done through the API: see `test/packages/doors.ts` of the project. */
export async function door<Result>(path: string, body?: unknown): Promise<Result> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${DOORS_URL}${path}`, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Result;
}

export type Workspace = { id: string; name: string; owner: { id: string; name: string; email: string } };

export const makeWorkspace = (plan: 'starter' | 'growth' = 'growth') =>
  door<Workspace>('/workspaces', { plan });

/** Connects as the platform does: consent of the owner with PKCE, then the exchange of the code. */
export async function connect(
  workspace: Workspace,
): Promise<{ access_token: string; refresh_token: string }> {
  const { oauth2Config } = App.authentication as NonNullable<typeof App.authentication>;
  const redirect_uri = setting('PLATFORM_RETURN_URL');
  const state = randomBytes(8).toString('hex');
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const url = new URL(await run<string>(oauth2Config?.authorizeUrl, { inputData: { redirect_uri, state } }));
  url.searchParams.set('code_challenge', code_challenge);
  url.searchParams.set('code_challenge_method', 'S256');
  const { location } = await door<{ location: string | null }>('/approve', {
    workspaceId: workspace.id,
    url: url.href,
  });
  const answer = new URL(location ?? '').searchParams;
  if (answer.get('state') !== state) throw new Error(`The state came back as ${answer.get('state')}.`);
  return run(oauth2Config?.getAccessToken, {
    inputData: { code: answer.get('code'), redirect_uri, code_verifier },
  });
}

/** A workspace with a connection: what calls need besides their fields, and a client to look at it. */
export async function connected(plan?: 'starter' | 'growth') {
  const workspace = await makeWorkspace(plan);
  const authData = await connect(workspace);
  const client = createAutomationClient({ baseUrl: SERVICE_URL, accessToken: authData.access_token });
  return { workspace, authData, client };
}

/** Waits until there is something, 20 seconds at most. */
export async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  const end = Date.now() + 20_000;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error('It did not come about within 20 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
