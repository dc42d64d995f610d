import type { ConsentView } from '#server/automation/oauth/consent-view.ts';
import { ORIGIN } from '#test/clients/sign-in.ts';
import { PLATFORM } from '#test/servers/settings.ts';

type Pairs = [string, string][];
export type ConsentResponse = {
  status: number;
  headers: Headers;
  /** The target of a redirect, or null. */
  location: URL | null;
  /** The consent page, or null for other responses. */
  page: ConsentView | null;
};

/** The authorize request of the platform, without state and challenge. */
export const REQUEST = {
  response_type: 'code',
  client_id: PLATFORM.clientId,
  redirect_uri: PLATFORM.returnUrl,
} as const;

/** Returns the browser of a teammate at the authorize endpoint. Without a cookie, nobody is signed in. */
export function consentClient(url: string, cookie?: string) {
  const session: Record<string, string> = cookie === undefined ? {} : { cookie };

  async function send(target: string, init: RequestInit): Promise<ConsentResponse> {
    const response = await fetch(target, { redirect: 'manual', ...init });
    const location = response.headers.get('location');
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      location: location === null ? null : new URL(location, ORIGIN),
      page: text === '' ? null : (JSON.parse(text) as { consent: ConsentView }).consent,
    };
  }

  return {
    /** Opens the page. `query` can be pairs, to send a parameter twice, or the raw query string. */
    open: (query: Record<string, string> | Pairs | string = REQUEST) =>
      send(`${url}/oauth/authorize?${typeof query === 'string' ? query : new URLSearchParams(query)}`, {
        headers: session,
      }),

    /** Posts the fields as the page's own form would. `headers` replace those of the browser. */
    post: (fields: Record<string, string> | Pairs, headers: Record<string, string> = sentByOwnPage) =>
      send(`${url}/oauth/authorize`, {
        method: 'POST',
        headers: { ...session, ...headers },
        body: new URLSearchParams(fields),
      }),
  };
}

/** Headers that browsers send with the form of our own page. `no-referrer` makes the origin `null`. */
const sentByOwnPage = { 'sec-fetch-site': 'same-origin', origin: 'null' };

/** Returns the fields of the page's form, submitted with the button `decision`. */
export function formOf(
  { page }: ConsentResponse,
  decision: 'approve' | 'cancel' | 'switch_account' = 'approve',
): Record<string, string> {
  if (!page || !('form' in page)) throw new Error(`The page has no form: ${JSON.stringify(page)}.`);
  return { ...Object.fromEntries(page.form.fields.map(({ name, value }) => [name, value])), decision };
}
