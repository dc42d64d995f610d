function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run npm run packages in the project's folder.`);
  return value;
}

async function post(url: string, body: unknown): Promise<Record<string, string>> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

/** Where the service is that the tests run against. */
export const SERVICE_URL = setting('SERVICE_URL');

/** A workspace of its own whose owner approves the platform, as the platform connects to it. */
export async function connect(): Promise<{ accessToken: string; workspaceName: string }> {
  const doors = setting('DOORS_URL');
  const client = {
    client_id: setting('PLATFORM_CLIENT_ID'),
    client_secret: setting('PLATFORM_CLIENT_SECRET'),
  };
  const redirect_uri = setting('PLATFORM_RETURN_URL');
  const workspace = await post(`${doors}/workspaces`, {});
  const query = new URLSearchParams({ response_type: 'code', client_id: client.client_id, redirect_uri });
  const { location = '' } = await post(`${doors}/approve`, {
    workspaceId: workspace.id,
    url: `${SERVICE_URL}/oauth/authorize?${query}`,
  });
  const code = new URL(location).searchParams.get('code') ?? '';
  const response = await fetch(`${SERVICE_URL}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, ...client }),
  });
  const { access_token } = (await response.json()) as Record<string, string>;
  if (!access_token) throw new Error(`The token endpoint answered ${response.status}.`);
  return { accessToken: access_token, workspaceName: workspace.name ?? '' };
}
