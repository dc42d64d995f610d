import { settings } from '#server/core/env.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { AUTH_PATH, auth } from '#server/teammates/auth.ts';
import { SIGN_IN_PATH } from '#server/teammates/sign-in-endpoint.ts';

export type SignInResult = { kind: 'signed_in'; setCookies: string[] } | { kind: 'refused'; message: string };

const WRONG = 'The email or password is incorrect. Check both and try again.';
const FAILED = 'Signing in failed. Try again in a moment.';

/**
 * Signs a teammate in through Better Auth's API, so that its checks and limits also apply to forms.
 * @param headers of the form's request; the session stores the address and the browser
 */
export async function signIn(
  headers: Headers,
  { email, password }: { email: string; password: string },
): Promise<SignInResult> {
  const response = await callAuth(headers, SIGN_IN_PATH, { email: email.trim(), password });
  if (response.ok) return { kind: 'signed_in', setCookies: response.headers.getSetCookie() };
  if (response.status === 429) {
    const { message } = (await response.json()) as { message: string };
    return { kind: 'refused', message };
  }
  return { kind: 'refused', message: response.status < 500 ? WRONG : FAILED };
}

/** Ends the session of a request's cookies. Returns the cookies to set. */
export async function signOut(headers: Headers): Promise<{ setCookies: string[] }> {
  const response = await callAuth(headers, '/sign-out', {});
  return { setCookies: response.headers.getSetCookie() };
}

function callAuth(headers: Headers, path: string, body: object): Promise<Response> {
  const { BASE_URL } = settings();
  const forwarded = ['cookie', 'user-agent', CLIENT_ADDRESS_HEADER].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  const request = new Request(`${BASE_URL}${AUTH_PATH}${path}`, {
    method: 'POST',
    headers: [...forwarded, ['content-type', 'application/json'], ['origin', new URL(BASE_URL).origin]],
    body: JSON.stringify(body),
  });
  return auth().handler(request);
}
