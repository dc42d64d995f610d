import { approve, CREDENTIALS, makeWorkspace, RETURN_URL, SERVICE_URL, type Tokens } from './service.ts';

/** Creates a workspace and connects the platform as its owner. */
export async function connect(): Promise<{ accessToken: string; workspaceName: string }> {
  const workspace = await makeWorkspace();
  const url = new URL(`${SERVICE_URL}/oauth/authorize`);
  url.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: CREDENTIALS.client_id,
      redirect_uri: RETURN_URL,
    }),
  );
  const code = (await approve(workspace, url)).get('code') ?? '';
  const response = await fetch(`${SERVICE_URL}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: RETURN_URL,
      ...CREDENTIALS,
    }),
  });
  if (!response.ok) throw new Error(`The token endpoint returned ${response.status}.`);
  const { access_token } = (await response.json()) as Tokens;
  return { accessToken: access_token, workspaceName: workspace.name };
}
