function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run npm run packages in the project's root folder.`);
  return value;
}

/** Address and platform credentials of the service that the tests of all packages use. */
export const SERVICE_URL = setting('SERVICE_URL');
export const HOOKS_HOST = setting('HOOKS_HOST');
/** Address that webhooks may have, without a path. */
export const WEBHOOKS_URL = setting('WEBHOOKS_URL');
export const RETURN_URL = setting('PLATFORM_RETURN_URL');
export const CREDENTIALS = {
  client_id: setting('PLATFORM_CLIENT_ID'),
  client_secret: setting('PLATFORM_CLIENT_SECRET'),
};

/** Calls an endpoint for what the API cannot do (`test/fixtures/package-service.ts` of the project). */
export async function control<Result>(path: string, body?: unknown): Promise<Result> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${setting('CONTROL_URL')}${path}`, init);
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as Result;
}

export type Workspace = { id: string; name: string; owner: { id: string; name: string; email: string } };
export type Tokens = { access_token: string; refresh_token: string };

/** Creates a workspace with an owner. */
export const makeWorkspace = (plan: 'starter' | 'growth' = 'growth') =>
  control<Workspace>('/workspaces', { plan });

/** Approves an authorization request as the owner. Returns the parameters of the redirect to the platform. */
export async function approve({ id: workspaceId }: Workspace, url: URL): Promise<URLSearchParams> {
  const { location } = await control<{ location: string | null }>('/approve', { workspaceId, url: url.href });
  return new URL(location ?? '').searchParams;
}

export type Received = { headers: Record<string, string>; body: string };

/** Returns the requests to a path of a hook or webhook, after waiting for the first `count` of them, two minutes at most. */
export async function received(path: string, count = 1): Promise<Received[]> {
  const end = Date.now() + 120_000;
  for (;;) {
    const requests = await control<Received[]>(`/received?path=${encodeURIComponent(path)}`);
    if (requests.length >= count) return requests;
    if (Date.now() > end) throw new Error(`${requests.length} requests to ${path} within two minutes.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
