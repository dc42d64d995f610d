import { newAddress, ORIGIN } from '#test/clients/sign-in.ts';

type Cookie = { value: string; isStrict: boolean };

/** Stops where a browser would show a page: everything outside of single sign-on. */
const ON_THE_WAY = /^\/sso\//;
const STEPS_MAX = 20;

/**
 * Returns a browser that follows redirects and pages that lead on, with the cookies of each site. Requests that another site caused
 * have no strict cookies (RFC 6265bis §5.6.7).
 * @param serviceUrl where the service is that has the address `ORIGIN`
 * @param cookie of a session of the service
 */
export function signOnBrowser(serviceUrl: string, cookie = '') {
  const jars = new Map<string, Map<string, Cookie>>();
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, Cookie>();
    jars.set(origin, jar);
    return jar;
  };
  for (const pair of cookie.split('; ').filter(Boolean)) {
    const [name = '', value = ''] = split(pair);
    jarOf(ORIGIN).set(name, { value, isStrict: false });
  }
  const address = newAddress();

  /** Sends one request. `from`: the origin of the page that caused it. */
  async function request(url: URL, from: string | null): Promise<Response> {
    const jar = jarOf(url.origin);
    const site = from === null ? 'none' : from === url.origin ? 'same-origin' : 'cross-site';
    const sent = [...jar].filter(([, { isStrict }]) => !isStrict || site !== 'cross-site');
    const isService = url.origin === ORIGIN;
    const response = await fetch(isService ? `${serviceUrl}${url.pathname}${url.search}` : url, {
      redirect: 'manual',
      headers: {
        cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; '),
        'sec-fetch-site': site,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...(isService ? { 'x-forwarded-for': address } : {}),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = split(pair);
      const isStrict = attributes.some((each) => /^samesite=strict$/i.test(each));
      if (value === '') jar.delete(name);
      else jar.set(name, { value, isStrict });
    }
    return response;
  }

  /** Opens an address and goes on until `stop`, by default a page of the service. Returns the address that was not opened. */
  async function open(start: string, stop = isPage): Promise<URL> {
    let url = new URL(start, ORIGIN);
    let from: string | null = null;
    for (let step = 0; step < STEPS_MAX; step += 1) {
      if (step > 0 && stop(url)) return url;
      const response = await request(url, from);
      const text = await response.text();
      const refresh = /http-equiv="refresh" content="0;url=([^"]*)"/
        .exec(text)?.[1]
        ?.replaceAll('&amp;', '&');
      const to = response.headers.get('location') ?? refresh;
      if (to === undefined) throw new Error(`${url} leads nowhere: ${response.status} ${text.slice(0, 500)}`);
      // A redirect keeps the page that caused the request. A page that leads on is the cause of the next one.
      if (refresh !== undefined) from = url.origin;
      url = new URL(to, url);
    }
    throw new Error(`The browser was sent on ${STEPS_MAX} times.`);
  }

  return {
    open,
    /** The `Cookie` header of the service. */
    cookie: () => [...jarOf(ORIGIN)].map(([name, { value }]) => `${name}=${value}`).join('; '),
    headers: () =>
      new Headers({ cookie: [...jarOf(ORIGIN)].map(([name, { value }]) => `${name}=${value}`).join('; ') }),
    forget: (origin: string) => jars.delete(origin),
  };
}

function isPage(url: URL): boolean {
  return url.origin === ORIGIN && !ON_THE_WAY.test(url.pathname);
}

/** Returns whether the browser comes back from a provider. */
export function isCallback(url: URL): boolean {
  return url.origin === ORIGIN && url.pathname.startsWith('/sso/callback/');
}

function split(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}
