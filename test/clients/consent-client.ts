import type { ConsentView } from '#server/automation/oauth/consent-view.ts';
import { ORIGIN } from '#test/clients/sign-in.ts';
import { PLATFORM } from '#test/servers/settings.ts';

type Pairs = [string, string][];
export type ConsentResponse = {
  status: number;
  headers: Headers;
  /** Where a redirect leads, or null. */
  location: URL | null;
  /** The page, or null when the response is none. */
  page: ConsentView | null;
};

/** The authorize request of the platform, without state and challenge. */
export const REQUEST = {
  response_type: 'code',
  client_id: PLATFORM.clientId,
  redirect_uri: PLATFORM.returnUrl,
} as const;

/** The browser of a teammate at the authorize address; without a cookie, of someone not signed in. */
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
    /** Opens the page; `query` may be pairs, to send a parameter twice, or text as it is in the address. */
    open: (query: Record<string, string> | Pairs | string = REQUEST) =>
      send(`${url}/oauth/authorize?${typeof query === 'string' ? query : new URLSearchParams(query)}`, {
        headers: session,
      }),

    /** Posts the fields as the page's own form would; `headers` replace what the browser says of it. */
    post: (fields: Record<string, string> | Pairs, headers: Record<string, string> = sentByOwnPage) =>
      send(`${url}/oauth/authorize`, {
        method: 'POST',
        headers: { ...session, ...headers },
        body: new URLSearchParams(fields),
      }),
  };
}

/** What browsers send with the form of our own page: `no-referrer` makes its origin `null`. */
const sentByOwnPage = { 'sec-fetch-site': 'same-origin', origin: 'null' };

/** The form that a page holds, filled in by pressing `decision`. */
export function formOf(
  { page }: ConsentResponse,
  decision: 'approve' | 'cancel' = 'approve',
): Record<string, string> {
  if (!page || !('form' in page)) throw new Error(`This page has no form: ${JSON.stringify(page)}.`);
  return { ...Object.fromEntries(page.form.fields.map(({ name, value }) => [name, value])), decision };
}
