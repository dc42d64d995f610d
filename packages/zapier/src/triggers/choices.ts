import type { Trigger, ZObject } from 'zapier-platform-core';
import { callService } from '../call-service.ts';
import { choiceFields } from '../fields/record-fields.ts';
import { EVENT_TRIGGERS } from './event-triggers.ts';

/** An option of a dropdown. */
type Choice = { id: string; name: string };
type Named = { id: string; name: string | null; email?: string | null };
type Contact = Named & { created_at: string };
type Conversation = {
  id: string;
  subject: string | null;
  channel: string;
  contact: Contact | null;
  updated_at: string;
};
type Sample = { conversation?: Conversation; contact?: Contact };

/** Returns a hidden trigger that fills a dropdown. */
function choices(key: string, noun: string, perform: (z: ZObject) => Promise<Choice[]>) {
  return {
    key,
    noun,
    display: {
      label: `List of ${noun}s`,
      description: `Triggers when a dropdown lists ${noun.toLowerCase()}s.`,
      hidden: true,
    },
    operation: {
      type: 'polling',
      perform,
      outputFields: choiceFields,
      sample: { id: '01a0b2c4-5d6e-7f80-9a1b-2c3d4e5f6071', name: noun },
    },
  } satisfies Trigger;
}

const teammates = choices('teammates', 'Teammate', async (z) => {
  const users = await callService<{ id: string; name: string; email: string }[]>(z, {
    method: 'GET',
    path: '/users',
  });
  const listed = users.map(({ id, name, email }) => ({ id, name: `${name} (${email})` }));
  return [{ id: 'unassigned', name: 'Unassigned' }, ...listed];
});

const teams = choices('teams', 'Team', async (z) => {
  const listed = await callService<Choice[]>(z, { method: 'GET', path: '/teams' });
  return [{ id: 'no_team', name: 'No Team' }, ...listed];
});

const recentConversations = choices('recent_conversations', 'Conversation', async (z) => {
  const samples = await loadSamples(z);
  return uniqueById(samples.flatMap(({ conversation }) => conversation ?? []))
    .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))
    .map((conversation) => ({ id: conversation.id, name: titleOf(conversation) }));
});

const recentContacts = choices('recent_contacts', 'Contact', async (z) => {
  const samples = await loadSamples(z);
  return uniqueById(samples.flatMap(({ contact, conversation }) => contact ?? conversation?.contact ?? []))
    .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
    .map((contact) => ({ id: contact.id, name: nameOf(contact) }));
});

/**
 * Loads the samples of all events, because the API lists no conversations or contacts. The samples of a single event would
 * fill a dropdown with at most three options.
 */
async function loadSamples(z: ZObject): Promise<Sample[]> {
  const samples = await Promise.all(
    EVENT_TRIGGERS.map(({ event }) =>
      callService<Sample[]>(z, { method: 'GET', path: `/triggers/${event}/samples` }),
    ),
  );
  return samples.flat();
}

function uniqueById<Item extends { id: string }>(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function titleOf({ subject, channel, contact }: Conversation): string {
  const who = contact ? nameOf(contact) : 'Nobody';
  return subject ? `${subject} (${who})` : `${who} (${channel})`;
}

function nameOf({ id, name, email }: Named): string {
  return name ?? email ?? `Contact ${id.slice(-4)}`;
}

export const choiceTriggers = {
  teammates,
  teams,
  recent_conversations: recentConversations,
  recent_contacts: recentContacts,
};
