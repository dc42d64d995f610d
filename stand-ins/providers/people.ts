import { createHash } from 'node:crypto';
import { type Account, type Chat, keyOf, type Person } from './state.ts';

/** People to write as. Their ids are derived from their names, so they stay the same after a restart. */
const CAST = [
  { name: 'Ada Marsh', username: 'ada.marsh', hidesNumber: false },
  { name: 'Bruno Keller', username: 'brunokeller', hidesNumber: false },
  { name: 'Noor Haddad', username: 'noor.h', hidesNumber: true },
] as const;

/** Returns the suggested people of an account, whether they have written or not. */
export function castOf(account: Account): Person[] {
  return CAST.map((person) => makePerson(account, person.name, person.username, person.hidesNumber));
}

/** Creates a person with stable ids. `hidesNumber` omits WhatsApp's phone number. */
export function makePerson(account: Account, name: string, username: string, hidesNumber = false): Person {
  const seed = createHash('sha256')
    .update(`${keyOf(account)} ${name}`)
    .digest('hex');
  const digits = (count: number) =>
    BigInt(`0x${seed}`)
      .toString()
      .slice(1, count + 1);
  const phone = `1555${digits(7)}`;
  const ids = {
    whatsapp: `US.${digits(20)}`,
    instagram: `8${digits(15)}`,
    messenger: `7${digits(15)}`,
    telegram: `6${digits(9)}`,
    slack: `U${seed.slice(0, 10).toUpperCase()}`,
  };
  return {
    id: ids[account.channel],
    name,
    username,
    phone: account.channel === 'whatsapp' && !hidesNumber ? phone : null,
  };
}

/** Returns the chat with a person, and creates it if needed. A Slack chat can be in a thread of a channel. */
export function chatWith(account: Account, person: Person, place: Chat['place'] = null): Chat {
  const where = place ?? (account.slack ? { channel: directChannel(person.id), threadTs: null } : null);
  const key = where?.threadTs ? `${person.id}@${where.threadTs}` : person.id;
  const known = account.chats.get(key);
  if (known) return known;
  const chat: Chat = { key, person, place: where, messages: [] };
  account.chats.set(key, chat);
  return chat;
}

/** Derives the Slack channel of direct messages with a user, so each id can be derived from the other. */
export function directChannel(userId: string): string {
  return userId.replace(/^./, 'D');
}

/** Finds a person who has written or is in the cast. */
export function findPerson(account: Account, matches: (person: Person) => boolean): Person | undefined {
  const written = [...account.chats.values()].map(({ person }) => person);
  return [...written, ...castOf(account)].find(matches);
}

/** Creates a person from only an id, which the demo data or an earlier run may know. */
export function unknownPerson(id: string, phone: string | null = null): Person {
  return { id, name: `Person ${id.slice(-4)}`, username: `person${id.slice(-4)}`.toLowerCase(), phone };
}
