import type { Trigger, ZObject } from 'zapier-platform-core';
import { callService } from '../call-service.ts';
import { choiceFields } from '../fields/record-fields.ts';

/** What a dropdown offers. */
type Choice = { id: string; name: string };
type Named = { id: string; name: string | null; email?: string | null };
type Conversation = { id: string; subject: string | null; channel: string; contact: Named | null };

/** A list that people do not see as a trigger: it fills a dropdown. */
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
  const events = await callService<{ conversation: Conversation }[]>(z, {
    method: 'GET',
    path: '/triggers/conversation.created/samples',
  });
  return events.map(({ conversation }) => ({ id: conversation.id, name: titleOf(conversation) }));
});

const recentContacts = choices('recent_contacts', 'Contact', async (z) => {
  const events = await callService<{ contact: Named }[]>(z, {
    method: 'GET',
    path: '/triggers/contact.created/samples',
  });
  return events.map(({ contact }) => ({ id: contact.id, name: nameOf(contact) }));
});

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
