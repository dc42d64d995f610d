import type { MergeSide } from '#server/screens/inbox/views.ts';
import { CHANNEL_NAMES } from '#server/screens/settings/channel-views.ts';

/** The facts that the dialog shows before a merge. `warning`: null for conversations of one contact on one channel. */
export type MergeFacts = { warning: string | null; seen: string | null; answered: string };

/** Says what a merge across contacts or channels means: what each contact sees, and who gets the replies. */
export function mergeFacts(from: MergeSide[], into: MergeSide): MergeFacts {
  const others = from.filter((side) => !isSamePerson(side, into));
  const elsewhere = from.filter(({ channel }) => channel !== into.channel);
  const { phrase } = CHANNEL_NAMES[into.channel];
  if (others.length === 0 && elsewhere.length === 0) {
    return { warning: null, seen: null, answered: `Replies go to ${personOf(into)} ${phrase}, as before.` };
  }
  const kinds = [
    ...(others.length > 0 ? ['different contacts'] : []),
    ...(elsewhere.length > 0 ? ['different channels'] : []),
  ];
  const names = new Set([into, ...others].map(personOf));
  const everyone = names.size > 1 ? joined([...names]) : 'The contacts';
  return {
    warning: `These conversations are from ${kinds.join(' on ')}.`,
    seen:
      others.length > 0
        ? `${everyone} don’t see each other’s messages.`
        : `${personOf(into)} sees only the messages of each channel there.`,
    answered: answered({ others, elsewhere, into, phrase }),
  };
}

type Sides = { others: MergeSide[]; elsewhere: MergeSide[]; into: MergeSide; phrase: string };

function answered({ others, elsewhere, into, phrase }: Sides): string {
  if (others.length === 0) {
    return `Replies go to ${personOf(into)} ${phrase}, also to messages from ${listChannels(elsewhere)}.`;
  }
  const onlyInto = `Replies go to ${personOf(into)} ${phrase}. ${listNames(others)} ${others.length === 1 ? 'gets' : 'get'} none of them.`;
  if (into.channel !== 'email' || elsewhere.length > 0) return onlyInto;
  return 'Replies go by email to one of them at a time. The reply box names who gets the next one.';
}

function isSamePerson(one: MergeSide, other: MergeSide): boolean {
  return one.contactId !== null && one.contactId === other.contactId;
}

/** Returns the contact's label, for sentences. */
export function personOf({ contactName }: { contactName: string | null }): string {
  return contactName ?? 'an unknown contact';
}

function listNames(sides: MergeSide[]): string {
  return joined([...new Set(sides.map(personOf))]);
}

function listChannels(sides: MergeSide[]): string {
  return joined([...new Set(sides.map(({ channel }) => CHANNEL_NAMES[channel].name))]);
}

function joined(words: string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}
