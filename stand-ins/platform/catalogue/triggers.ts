export const CONVERSATION_STATUSES = ['open', 'pending', 'solved', 'closed'] as const;

export type TriggerKey =
  | 'conversation.created'
  | 'conversation.status_changed'
  | 'conversation.assigned'
  | 'conversation.tagged'
  | 'conversation.rated'
  | 'message.received'
  | 'contact.created'
  | 'operator.command';

/** The one filter a trigger may have: its name in the API, its label, and what leaving it empty means. */
export type TriggerFilter = {
  name: 'status' | 'tag' | 'command';
  label: string;
  options: readonly string[] | null;
  whenEmpty: string;
};

export type Trigger = { key: TriggerKey; name: string; description: string; filter: TriggerFilter | null };

/** The service's eight triggers, in the order in which the page shows them. */
export const TRIGGERS: readonly Trigger[] = [
  {
    key: 'conversation.created',
    name: 'New Conversation',
    description: 'Starts when a conversation begins on any channel.',
    filter: null,
  },
  {
    key: 'conversation.status_changed',
    name: 'Conversation Status Changed',
    description: 'Starts when a conversation is opened, parked, solved or closed.',
    filter: { name: 'status', label: 'Status', options: CONVERSATION_STATUSES, whenEmpty: 'Every status' },
  },
  {
    key: 'conversation.assigned',
    name: 'Conversation Assigned',
    description: 'Starts when a conversation is given to a teammate.',
    filter: null,
  },
  {
    key: 'conversation.tagged',
    name: 'Conversation Tagged',
    description: 'Starts when tags are added to a conversation.',
    filter: { name: 'tag', label: 'Tag', options: null, whenEmpty: 'Every tag' },
  },
  {
    key: 'conversation.rated',
    name: 'New Satisfaction Rating',
    description: 'Starts when a contact rates a conversation.',
    filter: null,
  },
  {
    key: 'message.received',
    name: 'New Customer Message',
    description: 'Starts when a contact writes, in a new or a running conversation.',
    filter: null,
  },
  {
    key: 'contact.created',
    name: 'New Contact',
    description: 'Starts when a contact is added to the workspace.',
    filter: null,
  },
  {
    key: 'operator.command',
    name: 'Workflow Command',
    description: 'Starts when a teammate runs a command from a conversation.',
    filter: { name: 'command', label: 'Command', options: null, whenEmpty: 'Every command' },
  },
];

/** The trigger of a key, or undefined when the service has no such trigger. */
export function findTrigger(key: string): Trigger | undefined {
  return TRIGGERS.find((trigger) => trigger.key === key);
}

/** The trigger of a key that is known to exist. */
export function triggerOf(key: TriggerKey): Trigger {
  const trigger = findTrigger(key);
  if (!trigger) throw new Error(`no trigger ${key}`);
  return trigger;
}
