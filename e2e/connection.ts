import { expect, type Page } from '@playwright/test';
import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';

/** URL of the stand-in platform's page. */
export const PLATFORM_URL = endToEndAddresses(process.env).platform;

/** A connection at the stand-in platform, used through the API of its page. */
export type Connection = {
  /** Turns triggers on by event key. `filter`: value of the trigger's filter, if it has one. */
  turnOn(events: string[], filter?: string): Promise<void>;
  turnOff(event: string): Promise<void>;
  /** Runs an action or search by its key with form values. Resolves with the response. */
  run<Body = { id: string }>(step: string, values: Record<string, string>): Promise<Body>;
  /** Returns a teammate's id from the dropdown. */
  teammate(name: string): Promise<string>;
};

export function connectionOf(page: Page, id: string): Connection {
  async function call(method: string, path: string, data?: object) {
    const response = await page.request.fetch(`${PLATFORM_URL}/api/connections/${id}/${path}`, {
      method,
      headers: { origin: PLATFORM_URL },
      ...(data ? { data } : {}),
    });
    expect([path, response.status()]).toEqual([path, 200]);
    return response.json();
  }
  /** Returns the service's response to a call of the platform. */
  async function request(method: string, path: string, data?: object) {
    const response = await call(method, path, data);
    expect(Math.floor(response.status / 100), `${path}: ${JSON.stringify(response)}`).toBe(2);
    return response.body;
  }
  return {
    turnOn: async (events, filter = '') => {
      for (const event of events) await request('POST', 'subscriptions', { event, filter });
    },
    turnOff: async (event) => {
      await request('DELETE', `subscriptions/${event}`);
    },
    run: (step, values) => request('POST', `steps/${step}`, { values }),
    teammate: async (name) => {
      const { choices } = await call('GET', 'choices/users');
      const found = choices.find(({ label }: { label: string }) => label.startsWith(name));
      expect(found, name).toBeDefined();
      return found.value;
    },
  };
}

/** An event received by the platform. */
type PlatformEvent = { event: string; raw_body: string };

/** Returns the events received by the platform, newest first. */
export async function eventsOf(page: Page): Promise<PlatformEvent[]> {
  return (await (await page.request.get(`${PLATFORM_URL}/api/state`)).json()).events;
}
