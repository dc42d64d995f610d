function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run npm run packages in the project's folder.`);
  return value;
}

/** Where the service is that the tests of all packages run against, and what the platform is to it. */
export const SERVICE_URL = setting('SERVICE_URL');
export const HOOKS_HOST = setting('HOOKS_HOST');
export const RETURN_URL = setting('PLATFORM_RETURN_URL');
export const CREDENTIALS = {
  client_id: setting('PLATFORM_CLIENT_ID'),
  client_secret: setting('PLATFORM_CLIENT_SECRET'),
};

/** Asks for what cannot be done through the API: see `test/fixtures/package-service.ts` of the project. */
export async function door<Result>(path: string, body?: unknown): Promise<Result> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${setting('DOORS_URL')}${path}`, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Result;
}

export type Workspace = { id: string; name: string; owner: { id: string; name: string; email: string } };
export type Tokens = { access_token: string; refresh_token: string };

/** A workspace of its own, with an owner. */
export const makeWorkspace = (plan: 'starter' | 'growth' = 'growth') =>
  door<Workspace>('/workspaces', { plan });

/** Has the owner approve what an authorize address asks. @returns the parameters that the platform is given back */
export async function approve({ id: workspaceId }: Workspace, url: URL): Promise<URLSearchParams> {
  const { location } = await door<{ location: string | null }>('/approve', { workspaceId, url: url.href });
  return new URL(location ?? '').searchParams;
}

/** Waits until something was delivered to a hook's path, two minutes at most. */
export async function received(path: string): Promise<{ body: string }[]> {
  const end = Date.now() + 120_000;
  for (;;) {
    const requests = await door<{ body: string }[]>(`/received?path=${encodeURIComponent(path)}`);
    if (requests.length > 0) return requests;
    if (Date.now() > end) throw new Error(`Nothing came to ${path} within two minutes.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
