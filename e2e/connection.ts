import { expect, type Page } from '@playwright/test';
import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';

/** Where the stand-in platform's page is while the flows run. */
export const PLATFORM_URL = endToEndAddresses(process.env).platform;

/** A connection at the stand-in platform, used by the doors that the platform's page uses. */
export type Connection = {
  /** Turns triggers on, named by their events. `filter`: the value of the one filter that a trigger may have. */
  turnOn(events: string[], filter?: string): Promise<void>;
  turnOff(event: string): Promise<void>;
  /** Runs an action or a search, named by its key, with the fields of its form. Resolves with what it answered. */
  run<Body = { id: string }>(step: string, values: Record<string, string>): Promise<Body>;
  /** The id of a teammate, as the dropdown offers it. */
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
  /** The service's response to what the platform asked of it. */
  async function ask(method: string, path: string, data?: object) {
    const response = await call(method, path, data);
    expect(Math.floor(response.status / 100), `${path}: ${JSON.stringify(response)}`).toBe(2);
    return response.body;
  }
  return {
    turnOn: async (events, filter = '') => {
      for (const event of events) await ask('POST', 'subscriptions', { event, filter });
    },
    turnOff: async (event) => {
      await ask('DELETE', `subscriptions/${event}`);
    },
    run: (step, values) => ask('POST', `steps/${step}`, { values }),
    teammate: async (name) => {
      const { choices } = await call('GET', 'choices/users');
      const found = choices.find(({ label }: { label: string }) => label.startsWith(name));
      expect(found, name).toBeDefined();
      return found.value;
    },
  };
}

/** An event that came to the platform, by its key. */
type PlatformEvent = { event: string; raw_body: string };

/** The events that came to the platform, newest first. */
export async function eventsOf(page: Page): Promise<PlatformEvent[]> {
  return (await (await page.request.get(`${PLATFORM_URL}/api/state`)).json()).events;
}
