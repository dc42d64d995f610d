import { createHash } from 'node:crypto';
import { type Account, type Chat, keyOf, type Person } from './state.ts';

/** Who can be played on each account. Ids follow from the names, so that a new start knows the same people. */
const CAST = [
  { name: 'Ada Marsh', username: 'ada.marsh', hidesNumber: false },
  { name: 'Bruno Keller', username: 'brunokeller', hidesNumber: false },
  { name: 'Noor Haddad', username: 'noor.h', hidesNumber: true },
] as const;

/** The people of an account who have not necessarily written yet. */
export function castOf(account: Account): Person[] {
  return CAST.map((person) => makePerson(account, person.name, person.username, person.hidesNumber));
}

/** A person of that name, the same each time. `hidesNumber` leaves WhatsApp's phone number out. */
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

/** The chat with a person, opened when there is none. In Slack it may be in a thread of a channel. */
export function chatWith(account: Account, person: Person, place: Chat['place'] = null): Chat {
  const where = place ?? (account.slack ? { channel: directChannel(person.id), threadTs: null } : null);
  const key = where?.threadTs ? `${person.id}@${where.threadTs}` : person.id;
  const known = account.chats.get(key);
  if (known) return known;
  const chat: Chat = { key, person, place: where, messages: [] };
  account.chats.set(key, chat);
  return chat;
}

/** The stand-in's id of Slack's direct message with a user, so that each is known by the other. */
export function directChannel(userId: string): string {
  return userId.replace(/^./, 'D');
}

/** Somebody the account can reach: who has written, the cast, or an unknown id of the right shape. */
export function findPerson(account: Account, matches: (person: Person) => boolean): Person | undefined {
  const written = [...account.chats.values()].map(({ person }) => person);
  return [...written, ...castOf(account)].find(matches);
}

/** A person of whom nothing is known but the id: one whom the demo data or an earlier start has met. */
export function strangerWith(id: string, phone: string | null = null): Person {
  return { id, name: `Person ${id.slice(-4)}`, username: `person${id.slice(-4)}`.toLowerCase(), phone };
}
