import { newAddress } from '#test/clients/sign-in.ts';
import { PLATFORM } from '#test/servers/settings.ts';

export type TokenResponse = { status: number; headers: Headers; body: unknown };
export type TokenBody = { access_token: string; refresh_token: string };

/** The platform's credentials as form parameters. */
export const CREDENTIALS = { client_id: PLATFORM.clientId, client_secret: PLATFORM.clientSecret } as const;

/** Returns the platform's or other credentials as HTTP Basic, without encoding them first. */
export function basic(id: string = PLATFORM.clientId, secret: string = PLATFORM.clientSecret) {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

/**
 * Returns the platform at the token and revoke endpoints, with a new IP address per request unless `headers`
 * contain one.
 */
export function tokenClient(url: string) {
  async function send(path: string, body: BodyInit, headers: Record<string, string>): Promise<TokenResponse> {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': newAddress(), ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  const form = (fields: Record<string, string> | [string, string][]) => new URLSearchParams(fields);
  return {
    /** Posts exactly these fields. */
    post: (
      path: '/oauth/token' | '/oauth/revoke',
      fields: Record<string, string> | [string, string][],
      headers: Record<string, string> = {},
    ) => send(path, form(fields), headers),

    /** Exchanges a code with the platform's credentials. `fields` add or replace parameters. */
    exchange: (code: string, fields: Record<string, string> = {}) =>
      send(
        '/oauth/token',
        form({
          grant_type: 'authorization_code',
          code,
          redirect_uri: PLATFORM.returnUrl,
          ...CREDENTIALS,
          ...fields,
        }),
        {},
      ),

    refresh: (refreshToken: string) =>
      send(
        '/oauth/token',
        form({ grant_type: 'refresh_token', refresh_token: refreshToken, ...CREDENTIALS }),
        {},
      ),

    revoke: (token: string) => send('/oauth/revoke', form({ token, ...CREDENTIALS }), {}),
  };
}

/** Returns the tokens of a response. Throws when it has none. */
export function tokensOf({ status, body }: TokenResponse): TokenBody {
  if (status !== 200) throw new Error(`No tokens: ${status} ${JSON.stringify(body)}.`);
  return body as TokenBody;
}
