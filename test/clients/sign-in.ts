import { randomUUID } from 'node:crypto';

export const PASSWORD = 'a password for tests';

/** The origin that browsers name on the service's own pages: that of `BASE_URL` in tests. */
export const ORIGIN = 'http://inbox.test';

export type SignInResponse = { status: number; headers: Headers; body: unknown; cookie: string };

/**
 * Knocks at the sign-in door as a browser does, from an address of its own unless `headers` name one.
 * `cookie` is what the browser would send from then on; empty when no session was opened.
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

/** An address (IPv6) that no one else has, so that limits per address do not meet. */
export function newAddress(): string {
  const groups = randomUUID().replaceAll('-', '').slice(4).match(/.{4}/g) ?? [];
  return `fd00:${groups.join(':')}`;
}
