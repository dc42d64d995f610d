import { z } from 'zod';
import { providerFaultIn } from '#server/core/provider-request.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import { callGraph } from '#server/inbox/channels/meta/graph-api.ts';
import { text } from '#server/inbox/channels/meta/lenient.ts';

/** So many people are remembered, each for so long, in milliseconds: Meta limits how often it is asked. */
const REMEMBERED_MAX = 1_000;
const REMEMBERED_MS = 600_000;

const FIELDS = { messenger: 'first_name,last_name', instagram: 'name,username' } as const;

const personShape = z.object({ first_name: text, last_name: text, name: text, username: text });

const shared = globalThis as typeof globalThis & {
  servicePagePeople?: Map<string, { name: string | null; until: number }>;
};

/**
 * What somebody who writes to a page or an Instagram account is called (Messenger Platform, user profile). A name is not
 * worth a message: what Meta does not return is null.
 */
export async function findPagePerson(
  { id, credentials, channel }: ConnectedAccount,
  personId: string,
): Promise<string | null> {
  shared.servicePagePeople ??= new Map();
  const people = shared.servicePagePeople;
  const key = `${id}:${personId}`;
  const known = people.get(key);
  if (known && known.until > Date.now()) return known.name;
  const fields = channel === 'instagram' ? FIELDS.instagram : FIELDS.messenger;
  const name = await askForName(credentials.accessToken ?? '', personId, fields);
  people.delete(key);
  people.set(key, { name, until: Date.now() + REMEMBERED_MS });
  const [oldest] = people.keys();
  if (people.size > REMEMBERED_MAX && oldest !== undefined) people.delete(oldest);
  return name;
}

async function askForName(token: string, personId: string, fields: string): Promise<string | null> {
  try {
    const response = await callGraph({ token, path: personId, query: { fields } });
    const person = response.ok ? personShape.safeParse(response.body).data : undefined;
    if (!person) return null;
    const { first_name, last_name, name, username } = person;
    return [first_name, last_name].filter(Boolean).join(' ') || name || username || null;
  } catch (error) {
    if (providerFaultIn(error)) return null;
    throw error;
  }
}
