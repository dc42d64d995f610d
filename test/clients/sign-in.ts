import { randomUUID } from 'node:crypto';

export const PASSWORD = 'a password for tests';

/** The origin that browsers send on the service's own pages: that of `BASE_URL` in tests. */
export const ORIGIN = 'http://inbox.test';

export type SignInResponse = { status: number; headers: Headers; body: unknown; cookie: string };

/**
 * Tries to sign in as a browser does, from a separate IP address unless `headers` contain one. `cookie` is
 * the `Cookie` header for later requests; empty when no session was opened.
 */
export async function trySignIn(
  url: string,
  credentials: unknown,
  headers: Record<string, string> = {},
): Promise<SignInResponse> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: ORIGIN,
      'x-forwarded-for': newAddress(),
      ...headers,
    },
    body: JSON.stringify(credentials),
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, body, cookie: cookies.join('; ') };
}

/** Signs a teammate in and returns the `Cookie` header of the session. */
export async function signInAs(url: string, { email }: { email: string }): Promise<string> {
  const { status, cookie } = await trySignIn(url, { email, password: PASSWORD });
  if (status !== 200) throw new Error(`Not signed in: ${status}.`);
  return cookie;
}

/** Returns an IPv6 address that nobody else uses, so that tests do not share limits per address. */
export function newAddress(): string {
  const groups = randomUUID().replaceAll('-', '').slice(4).match(/.{4}/g) ?? [];
  return `fd00:${groups.join(':')}`;
}
