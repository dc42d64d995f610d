import { fillInConsent } from '#test/clients/consent-form.ts';

/** A connection at the stand-in platform, controlled by requests instead of its page. */
export type PlatformClient = {
  /** Turns on the trigger of an event. */
  turnOn(event: string): Promise<void>;
  /** Runs the action with this key. Returns the status of the service's response, or 0 without a response. */
  run(step: string, values: Record<string, string>): Promise<number>;
  /** Returns the received events, each with its count. */
  events(): Promise<{ event: string; received_count: number }[]>;
};

/**
 * Signs in at the service and connects the stand-in platform, with the requests that a browser would send.
 * @param service address of the service
 * @param platform address of the stand-in platform
 * @throws when a request is refused
 */
export async function connectPlatform(
  service: string,
  platform: string,
  user: { email: string; password: string; workspace: string },
): Promise<PlatformClient> {
  const session = await signIn(service, user);
  const begun = await fetch(`${platform}/connect`, {
    method: 'POST',
    headers: { origin: platform },
    redirect: 'manual',
  });
  const browser = cookiesOf(begun);
  const page = await fetch(locationOf(begun, platform), { headers: { cookie: session } });
  const approved = await fetch(`${service}/oauth/authorize`, {
    method: 'POST',
    headers: { cookie: session, origin: 'null', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fillInConsent(await page.text(), user.workspace)),
    redirect: 'manual',
  });
  const home = await fetch(locationOf(approved, service), {
    headers: { cookie: browser },
    redirect: 'manual',
  });
  const id = locationOf(home, platform).searchParams.get('connection');
  if (!id) throw new Error(`The platform did not connect: ${locationOf(home, platform)}.`);
  return platformClient(platform, id);
}

async function signIn(service: string, { email, password }: { email: string; password: string }) {
  const response = await fetch(`${service}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`Not signed in: ${response.status}.`);
  return cookiesOf(response);
}

function platformClient(platform: string, id: string): PlatformClient {
  async function post(path: string, body: object): Promise<number> {
    const response = await fetch(`${platform}/api/connections/${id}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: platform },
      body: JSON.stringify(body),
    });
    const { status } = await response.json();
    // The platform reports null if the service did not respond.
    return status === null ? 0 : (status ?? response.status);
  }
  return {
    turnOn: async (event) => {
      const status = await post('subscriptions', { event, filter: '' });
      if (status !== 201) throw new Error(`${event} was not turned on: ${status}.`);
    },
    run: (step, values) => post(`steps/${step}`, { values }),
    events: async () => (await (await fetch(`${platform}/api/state`)).json()).events,
  };
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ');
}

function locationOf(response: Response, base: string): URL {
  return new URL(response.headers.get('location') ?? '', base);
}
